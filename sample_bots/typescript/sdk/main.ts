/** The program that the arena starts: the bot of ../bot.ts at its tables. */

import Mine from "../bot.js";
import { run } from "./stream.js";

run(Mine);

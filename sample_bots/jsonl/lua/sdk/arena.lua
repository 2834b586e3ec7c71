-- What a bot in Lua needs: reads and writes the arena's JSON lines, calls the bot, knows cards and moves by text.
--
--     arena.run(function(game)                     -- once for each game
--       return function(turn) ... end              -- for each decision: returns the text of a move
--     end)
--
-- Everything a bot sees is plain data with the arena's texts in it: cards "R10", moves "bid 80"; what is absent is nil.
local json = require("json")
local arena = { sdk = "arena-lua 0.1" }

local FAMILIES = { -- letters and words of the suits, by number; and the texts of ranks by number
  rook = { letters = { "B", "G", "R", "Y" }, words = { "black", "green", "red", "yellow" }, ranks = {} },
  crow = { letters = { "R", "G", "B", "T" }, words = { "red", "green", "blue", "thirst" }, ranks = {} },
  goat = { letters = { "C", "D", "H", "S" }, words = { "clubs", "diamonds", "hearts", "spades" }, ranks = {} },
}
local text_of, number_of = {}, {} -- of cards, by family

for rank = 1, 14 do FAMILIES.rook.ranks[rank] = tostring(rank) end
for rank = 2, 10 do FAMILIES.crow.ranks[rank] = tostring(rank) end
for place, text in ipairs({ "6", "7", "8", "9", "J", "Q", "K", "10", "A" }) do FAMILIES.goat.ranks[place + 5] = text end

for family, has in pairs(FAMILIES) do
  local texts = family == "rook" and { [65] = "ROOK", [66] = "RED1" } or {}
  for suit, letter in ipairs(has.letters) do
    for rank, text in pairs(has.ranks) do
      texts[(suit - 1) << 4 | rank] = family == "goat" and text .. letter or letter .. text
    end
  end
  text_of[family], number_of[family] = texts, {}
  for number, text in pairs(texts) do number_of[family][text] = number end
end

-- The number of a card, suit << 4 | rank.
function arena.card(family, text)
  return number_of[family][text] or error(("no card of %s: %q"):format(family, text), 0)
end

-- The suit of a card as its number, and its rank; in Goat the rank is the strength (J 10 ... ten 13, A 14).
function arena.suit(family, text) return arena.card(family, text) >> 4 end
function arena.rank(family, text) return arena.card(family, text) & 15 end

-- A generator of whole numbers from 1 to n, seeded by GameStart.seed: a text, since it has 64 bits without a sign.
function arena.generator(seed)
  local state = 0
  for digit in seed:gmatch("%d") do state = state * 10 + math.tointeger(tonumber(digit)) end
  return function(n)
    state = state + 0x9E3779B97F4A7C15 -- splitmix64
    local mixed = (state ~ (state >> 30)) * 0xBF58476D1CE4E5B9
    mixed = (mixed ~ (mixed >> 27)) * 0x94D049BB133111EB
    return ((mixed ~ (mixed >> 31)) >> 1) % n + 1
  end
end

-- --- from the arena --------------------------------------------------------------------------------------------------

-- Names with underscores; enum values without their prefixes: "GOAT_CARD_10H" is 10H, "ROOK_PHASE_PLAY" is play.
local function plain(data)
  if type(data) == "string" then
    local card = data:match("^%u%u%u%u_CARD_(%w+)$")
    local word = data:match("^ROOK_PHASE_(%u+)$") or data:match("^GOAT_PHASE_(%u+)$") or data:match("^GOAT_ACT_(%u+)$")
    return card or word and word:lower() or data
  elseif type(data) ~= "table" or data == json.null then
    return data
  end
  local found = {}
  for name, item in pairs(data) do
    if type(name) == "string" then
      name = name:gsub("%u", function(letter) return "_" .. letter:lower() end)
    end
    found[name] = plain(item)
  end
  return found
end

local function read_turn(event)
  local family = event.rook and "rook" or event.crow and "crow" or event.goat and "goat"
  if not family then return nil end
  event.family, event.view, event[family] = family, event[family], nil
  local view, legal = event.view, event.legal
  view.trump = view.trump and FAMILIES[family].words[view.trump + 1]
  event.legal = {}
  if legal.choose then
    local kind = legal.choose.kind:match("^MOVE_KIND_(%u+)$"):lower()
    event.legal = { kind = kind, choose = legal.choose.count, from = {} }
    for place, number in ipairs(legal.choose.cards) do event.legal.from[place] = text_of[family][number] end
  end
  for place, move in ipairs(legal.moves) do event.legal[place] = arena.move_text(family, move) end
  return event
end

-- An event of a line: {event = "turn", game = 1, ...}; nil for what this version does not know.
function arena.read_event(line)
  local data = json.decode(line)
  local name, said = next(data)
  if not name then return nil end
  local event = plain(said)
  event.event = name:gsub("%u", function(letter) return "_" .. letter:lower() end)
  if name == "turn" then return read_turn(event) end
  if name == "gameStart" then
    for option, value in pairs(said.options) do event.options[option] = json.decode(value) end
  elseif name == "gameOver" then
    event.verdict = event.verdict:match("^VERDICT_(%u+)$"):lower()
  end
  return event
end

-- --- moves -----------------------------------------------------------------------------------------------------------

-- A move of the protocol, its names with underscores, as its text: {bid = 80} is "bid 80".
function arena.move_text(family, move)
  local kind, value = next(move)
  if kind == "pass" or kind == "molodka" then return kind end
  if kind == "bid" then return "bid " .. value end
  if kind == "play" then return text_of[family][value] end
  if kind == "name_trump" then return "trump " .. FAMILIES[family].words[value + 1] end
  local words = { kind }
  for place, card in ipairs(value.cards) do words[place + 1] = text_of[family][card] end
  return table.concat(words, " ")
end

-- The other way round.
function arena.move_of(family, text)
  local word, rest = text:match("^(%S+)%s*(.*)$")
  if word == "pass" or word == "molodka" then return { [word] = true } end
  if word == "bid" then return { bid = math.tointeger(tonumber(rest)) } end
  if word == "trump" then
    for number, suit in ipairs(FAMILIES[family].words) do
      if suit == rest then return { nameTrump = number - 1 } end
    end
    error(("no suit of %s: %q"):format(family, rest), 0)
  end
  if rest == "" then return { play = arena.card(family, word) } end
  local cards = {}
  for card in rest:gmatch("%S+") do cards[#cards + 1] = arena.card(family, card) end
  return { [word] = { cards = cards } }
end

-- The first legal move; of cards to be chosen the first ones.
function arena.first_move(turn)
  local legal = turn.legal
  if not legal.choose then return legal[1] end
  return legal.kind .. " " .. table.concat(legal.from, " ", 1, legal.choose)
end

-- --- to the arena ----------------------------------------------------------------------------------------------------

-- A hello as a line. The bridge puts in the token.
function arena.hello_line(concurrent_games, sdk, token)
  local hello = { versions = { "1.0" }, token = token or "", sdk = sdk or arena.sdk }
  hello.concurrentGames = concurrent_games
  return json.encode({ hello = hello }) .. "\n"
end

-- A reply as a line: {game, turn, and choice (an index from 0) or move (a text) with family, and a note if you like}.
function arena.reply_line(reply)
  local move = reply.move and arena.move_of(reply.family, reply.move)
  local out = { game = reply.game, turn = reply.turn, choice = reply.choice, move = move, note = reply.note or "" }
  return json.encode({ reply = out }) .. "\n"
end

-- The reply to a turn for what a bot returned: the text of a legal move. Raises an error if it is none.
function arena.answer(turn, move)
  local reply = { game = turn.game, turn = turn.turn, family = turn.family, note = turn.note }
  local legal, count = turn.legal, 0
  if legal.choose then
    local free = {}
    for _, card in ipairs(legal.from) do free[card] = true end
    for card in move:match("^%S+%s*(.*)$"):gmatch("%S+") do
      count = free[card] and count + 1 or -1000
      free[card] = nil
    end
    reply.move = count == legal.choose and move:match("^%S+") == legal.kind and move or nil
  end
  for place, other in ipairs(legal) do
    if other == move then reply.choice = place - 1 end
  end
  if reply.move or reply.choice then return reply end
  local wrong = "game %d, turn %d: %q is not legal; legal: %s"
  error(wrong:format(turn.game, turn.turn, move, json.encode(legal)), 0)
end

-- --- the program -----------------------------------------------------------------------------------------------------

-- Play until goodbye or the end of the input. `start` is called with each game's start and returns what decides in it.
function arena.run(start, concurrent_games)
  local players = {}
  io.stdout:setvbuf("line")
  io.write(arena.hello_line(concurrent_games or 1))
  for line in io.lines() do
    local event = arena.read_event(line) or {}
    if event.event == "game_start" then
      players[event.game] = start(event)
    elseif event.event == "turn" then
      io.write(arena.reply_line(arena.answer(event, players[event.game](event))))
    elseif event.event == "rejected" then
      io.stderr:write(("game %d, turn %d: %s\n"):format(event.game, event.turn, event.reason))
    elseif event.event == "game_over" then
      players[event.game] = nil
    elseif event.event == "goodbye" then
      return
    end
  end
end

return arena

-- A bot in Lua. It bids only what it must and plays what is legal at random; in The Crow and the Pitcher it plays low.
package.path = arg[0]:gsub("[^/]*$", "") .. "sdk/?.lua;" .. package.path
local arena = require("arena")

-- Any legal move; any cards where cards are to be chosen.
local function any_move(turn, random)
  local legal = turn.legal
  if not legal.choose then return legal[random(#legal)] end
  local left, words = { table.unpack(legal.from) }, { legal.kind }
  for _ = 1, legal.choose do words[#words + 1] = table.remove(left, random(#left)) end
  return table.concat(words, " ")
end

-- The lowest card, thirst last.
local function low(turn)
  local best, least
  for _, card in ipairs(turn.legal) do
    local price = arena.rank("crow", card) + (arena.suit("crow", card) == 3 and 20 or 0)
    if not least or price < least then best, least = card, price end
  end
  return best
end

-- Called at the start of each game with {ruleset, options, seat, seats, partner, seed, ...}.
local function start(game)
  local random = arena.generator(game.seed)
  return function(turn)
    if turn.family == "crow" then return low(turn) end
    if turn.view.phase == "auction" then return arena.first_move(turn) end -- pass, or the lowest bid where it is forced
    return any_move(turn, random)
  end
end

arena.run(start, 32)

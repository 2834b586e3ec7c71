-- Run by "lua5.4 test.lua" in the bot's folder: the recorded lines of the arena, JSON, cards, answers.
package.path = arg[0]:gsub("[^/]*$", "") .. "sdk/?.lua;" .. package.path
local arena, json = require("arena"), require("json")
local passed = 0

-- Whether two values say the same. Null is what is absent; a number and its text are equal, as in 64-bit numbers.
local function same(one, other)
  if one == json.null then one = nil end
  if other == json.null then other = nil end
  if type(one) ~= "table" or type(other) ~= "table" then
    return one == other or (one ~= nil and other ~= nil and tostring(one) == tostring(other))
  end
  for name, item in pairs(one) do
    if not same(item, other[name]) then return false end
  end
  for name, item in pairs(other) do
    if one[name] == nil and item ~= json.null then return false end
  end
  return true
end

local function is(found, expected, what)
  if not same(found, expected) then
    error(("%s: found %s, expected %s"):format(what, json.encode(found), json.encode(expected)), 2)
  end
  passed = passed + 1
end

local function fails(what, ...)
  if pcall(...) then error(what .. " was taken", 2) end
  passed = passed + 1
end

local function lines_of(file)
  local opened = io.open(file)
  if not opened then return nil end
  local found = {}
  for line in opened:lines() do found[#found + 1] = json.decode(line) end
  opened:close()
  return found
end

local tests = {}

function tests.recorded_frames()
  local file = os.getenv("ARENA_VECTORS") or arg[0]:gsub("[^/]*$", "") .. "../../../tests/vectors/frames.jsonl"
  local meant, frames = lines_of(file), lines_of((file:gsub("%.jsonl$", "_json.jsonl")))
  if not meant or not frames then
    return print("not run: there are no recorded frames in " .. file .. "; name them by ARENA_VECTORS")
  end
  is(#frames, #meant, "as many frames as meanings")
  for number, frame in ipairs(frames) do
    for place, event in ipairs(meant[number].events) do
      local line = frame.lines[place]
      if frame.from == "arena" then
        is(arena.read_event(line), event, frame.name)
      elseif event.event == "hello" then
        is(json.decode(arena.hello_line(event.concurrent_games, event.sdk, event.token)), json.decode(line), frame.name)
      else
        is(json.decode(arena.reply_line(event)), json.decode(line), frame.name)
      end
    end
    is(#frame.lines, #meant[number].events, frame.name)
  end
end

function tests.json()
  is(json.decode(' {"a": [1, -2, "x\\u00e9\\ud83d\\udc10\\n", true, null, {}]} ').a[3], "x\u{e9}\u{1f410}\n", "escapes")
  is(json.encode({ 'a"b\n', 1, true, {} }), '["a\\u0022b\\u000a",1,true,[]]', "a list")
  is(json.encode({ b = 1, a = json.null }), '{"a":null,"b":1}', "an object, names in order")
  is(math.type(json.decode("12")), "integer", "whole numbers")
  for _, wrong in ipairs({ "", "{", "[1,]", '{"a" 1}', '"x', "nul", "1 2", '"\\u12"', "01x" }) do
    fails(wrong, json.decode, wrong)
  end
end

function tests.cards()
  is(arena.card("rook", "R14"), 46, "R14")
  is(arena.card("rook", "ROOK"), 65, "ROOK")
  is(arena.suit("crow", "T7"), 3, "thirst")
  is(arena.rank("goat", "10H"), 13, "a ten ranks over a king")
  fails("B11 in Crow", arena.card, "crow", "B11")
end

function tests.answers()
  local turn = { game = 1, turn = 7, family = "rook", legal = { "R10", "ROOK" } }
  is(arena.answer(turn, "ROOK").choice, 1, "by index")
  fails("an illegal move", arena.answer, turn, "B5")
  turn.legal = { kind = "discard", choose = 2, from = { "B5", "G7", "R9" } }
  is(arena.answer(turn, "discard R9 B5").move, "discard R9 B5", "chosen cards")
  fails("a card twice", arena.answer, turn, "discard B5 B5")
  fails("too few cards", arena.answer, turn, "discard B5")
  is(arena.first_move(turn), "discard B5 G7", "the first ones")
end

function tests.generator()
  local most = "18446744073709551615"
  local one, other, third = arena.generator(most), arena.generator(most), arena.generator("7")
  local counts, differ = { 0, 0, 0 }, false
  for _ = 1, 3000 do
    local drawn = one(3)
    is(drawn, other(3), "the same seed, the same numbers")
    differ = differ or drawn ~= third(3)
    counts[drawn] = counts[drawn] + 1
  end
  for number, count in ipairs(counts) do
    is(count > 900 and count < 1100, true, "how often " .. number .. " was drawn")
  end
  is(differ, true, "another seed, other numbers")
end

for name, test in pairs(tests) do
  test()
  print("ok " .. name)
end
print(passed .. " checks passed")

-- A small JSON reader and writer. Objects and lists are tables; null is json.null. Whole numbers stay integers.
local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
local WORDS = { ["true"] = true, ["false"] = false, null = json.null }
local value -- reads any value at a place, returns it and the place after it

local function fail(text, at, expected)
  error(("JSON: %s expected at byte %d of: %s"):format(expected, at, text:sub(1, 200)), 0)
end

-- The code of \uXXXX at a place, and of a surrogate pair.
local function unicode(text, at)
  local code = tonumber(text:match("^%x%x%x%x", at) or fail(text, at, "four hex digits"), 16)
  local low = code >= 0xD800 and code < 0xDC00 and text:match("^\\u(%x%x%x%x)", at + 4)
  if not low then return code, at + 4 end
  return 0x10000 + ((code - 0xD800) << 10) + (tonumber(low, 16) - 0xDC00), at + 10
end

local function read_string(text, at)
  local parts = {}
  while true do
    local plain, stop, next_at = text:match('^([^"\\]*)(["\\])()', at)
    if not plain then fail(text, at, "the end of a string") end
    parts[#parts + 1] = plain
    if stop == '"' then return table.concat(parts), next_at end
    local letter = text:sub(next_at, next_at)
    if letter == "u" then
      local code
      code, at = unicode(text, next_at + 1)
      parts[#parts + 1] = utf8.char(code)
    else
      parts[#parts + 1] = ESCAPES[letter] or fail(text, next_at, "an escape")
      at = next_at + 1
    end
  end
end

-- The items of a list or an object up to its closing bracket; `item` reads one and puts it where it belongs.
local function read_items(text, at, close, item)
  at = text:match("^%s*()", at)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = text:match("^%s*()", item(at))
    local sign = text:sub(at, at)
    if sign == close then return at + 1 end
    if sign ~= "," then fail(text, at, "',' or '" .. close .. "'") end
    at = text:match("^%s*()", at + 1)
  end
end

function value(text, at)
  local sign = text:sub(at, at)
  if sign == '"' then return read_string(text, at + 1) end
  local found = {}
  if sign == "[" then
    at = read_items(text, at + 1, "]", function(place)
      found[#found + 1], place = value(text, place)
      return place
    end)
    return found, at
  elseif sign == "{" then
    at = read_items(text, at + 1, "}", function(place)
      if text:sub(place, place) ~= '"' then fail(text, place, "a name") end
      local name
      name, place = read_string(text, place + 1)
      place = text:match("^%s*:%s*()", place) or fail(text, place, "':'")
      found[name], place = value(text, place)
      return place
    end)
    return found, at
  end
  local number, after = text:match("^(-?%d[%d.eE+-]*)()", at)
  if number then return tonumber(number) or fail(text, at, "a number"), after end
  local word, next_at = text:match("^(%a+)()", at)
  if WORDS[word] == nil then fail(text, at, "a value") end
  return WORDS[word], next_at
end

-- What a text says. Raises an error for what is no JSON.
function json.decode(text)
  local found, at = value(text, text:match("^%s*()"))
  if at <= #text and text:find("%S", at) then fail(text, at, "the end") end
  return found
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(sign) return ("\\u%04x"):format(sign:byte()) end) .. '"'
end

-- A value as a text without line breaks. A table with a first item, or an empty one, is a list.
function json.encode(data)
  if data == json.null then return "null" end
  if type(data) == "string" then return quoted(data) end
  if type(data) ~= "table" then return tostring(data) end
  local parts = {}
  if #data > 0 or next(data) == nil then
    for place, item in ipairs(data) do parts[place] = json.encode(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for name, item in pairs(data) do parts[#parts + 1] = quoted(name) .. ":" .. json.encode(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

return json

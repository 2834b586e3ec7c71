#include "vectors.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace arena {

std::optional<std::vector<nlohmann::json>> read_vectors() {
  const char* named = std::getenv("ARENA_VECTORS");
  std::ifstream file(named != nullptr ? named : VECTORS);
  if (!file) return std::nullopt;
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

std::string bytes_of(const nlohmann::json& line) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char letter : line.at("frame").get<std::string>()) {  // base64
    if (letter == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(digits.find(letter));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

}  // namespace arena

"""Generated from protos/arena/v1 by protos/generate; do not edit."""

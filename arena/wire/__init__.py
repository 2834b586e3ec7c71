"""Floor 4: protobuf views and moves, the gRPC server of one seat, the remote player."""

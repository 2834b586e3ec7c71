package sdk

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// dial opens a connection to the arena: a unix socket in the clear, anything else over TLS.
//
// ARENA_TLS_CA names a PEM file with the certificates that are trusted, instead of the system's. ARENA_INSECURE=1 turns
// TLS off for an arena on this machine, for tests; anywhere else it would show the token to others.
func dial(address string) (*grpc.ClientConn, error) {
	transport, err := security(address)
	if err != nil {
		return nil, err
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
	}
	if transport.Info().SecurityProtocol == "tls" {
		// A bot may wait for its turn for a long time; what lies between must not take the connection for dead.
		options = append(options, grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 30 * time.Second, Timeout: 20 * time.Second, PermitWithoutStream: true}))
	}
	return grpc.NewClient(address, options...)
}

func security(address string) (credentials.TransportCredentials, error) {
	if strings.HasPrefix(address, "unix:") || strings.HasPrefix(address, "unix-abstract:") {
		return insecure.NewCredentials(), nil
	}
	if os.Getenv("ARENA_INSECURE") == "1" {
		if !loopback(address) {
			return nil, fmt.Errorf("ARENA_INSECURE is for this machine only, not for %q", address)
		}
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if file := os.Getenv("ARENA_TLS_CA"); file != "" {
		trusted, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("ARENA_TLS_CA: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(trusted) {
			return nil, fmt.Errorf("ARENA_TLS_CA: there is no certificate in %q", file)
		}
	}
	return credentials.NewTLS(config), nil
}

// loopback says whether an address is on this machine.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address[strings.LastIndex(address, "/")+1:])
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

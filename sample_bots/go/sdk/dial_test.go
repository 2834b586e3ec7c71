package sdk

import "testing"

func TestDialIsSafe(t *testing.T) {
	for _, each := range []struct{ address, insecure, protocol string }{
		{"unix:/run/arena/seat.sock", "", "insecure"},
		{"arena.example.org:4443", "", "tls"},
		{"127.0.0.1:4443", "", "tls"},
		{"127.0.0.1:4443", "1", "insecure"},
		{"dns:///localhost:4443", "1", "insecure"},
		{"[::1]:4443", "1", "insecure"},
		{"arena.example.org:4443", "1", ""},
		{"dns:///arena.example.org:4443", "1", ""},
	} {
		t.Setenv("ARENA_INSECURE", each.insecure)
		found, err := security(each.address)
		if each.protocol == "" {
			if err == nil {
				t.Errorf("%v: the token would be shown to others", each)
			}
		} else if err != nil || found.Info().SecurityProtocol != each.protocol {
			t.Errorf("%v: %v, %v", each, found, err)
		}
	}
}

func TestDialNamesWhatItCannotTrust(t *testing.T) {
	t.Setenv("ARENA_TLS_CA", t.TempDir()+"/missing.pem")
	if _, err := security("arena.example.org:4443"); err == nil {
		t.Error("a missing file was not told")
	}
	t.Setenv("ARENA_TLS_CA", "dial_test.go")
	if _, err := security("arena.example.org:4443"); err == nil {
		t.Error("a file without certificates was not told")
	}
}

/** Looks for what no bot should reach, in Java. Arguments: port, secret, abstract socket. Prints what it got. */
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

public final class Hostile {
  private interface Attempt {
    void run() throws Exception;
  }

  private static void attempt(String what, Attempt how) {
    try {
      how.run();
      System.out.println(what);
    } catch (Exception | OutOfMemoryError wanted) {
      // as it should be
    }
  }

  public static void main(String[] words) {
    attempt("TCP", () -> new Socket().connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])), 500));
    for (String path : new String[] {words[1], "/proc/self/root" + words[1], "/etc/shadow"}) {
      attempt("read " + path, () -> new FileInputStream(path).close());
    }
    for (String path : new String[] {"Hostile.java", "/usr/bin/env", "/run/arena/x"}) {
      attempt("may write " + path, () -> new FileOutputStream(path, true).close());
    }
    attempt("its heap is larger than its box", () -> {
      if (Runtime.getRuntime().maxMemory() < 512L << 20) throw new Exception();
    });
    System.out.println("done");
    for (int number = 0; number < 10_000; number++) {
      Thread thread = new Thread(() -> {
        try {
          Thread.sleep(20_000);
        } catch (InterruptedException over) {
          return;
        }
      });
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println("10 000 threads");
  }
}

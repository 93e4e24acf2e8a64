import com.posthog.server.PostHog;
import com.posthog.server.PostHogCaptureOptions;
import com.posthog.server.PostHogConfig;
import com.posthog.server.PostHogInterface;

class Send {
    private static final int EVENTS = 3;
    private static final int FLUSHES = 20;
    private static final int PAUSE_MS = 100;

    public static void main(String[] words) throws InterruptedException {
        String host = words[0];
        String token = words[1];
        String run = words[2];
        PostHogInterface client = PostHog.with(PostHogConfig.builder(token).host(host).build());
        for (int sent = 0; sent < EVENTS; sent += 1)
            client.capture(run, "sdk", PostHogCaptureOptions.builder().property("run", run).build());
        // To close drops what is on its way to the queue, and a flush sees only what has come there.
        for (int flushes = 0; flushes < FLUSHES; flushes += 1) {
            client.flush();
            Thread.sleep(PAUSE_MS);
        }
        client.close();
    }
}

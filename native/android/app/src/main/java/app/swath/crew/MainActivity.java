package app.swath.crew;

import android.webkit.CookieManager;
import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {

    /**
     * The web view writes cookies down every half minute. A phone that is put away and killed in between would come back with a
     * refresh token that was traded already, which the server takes for a stolen one.
     */
    @Override
    public void onPause() {
        super.onPause();
        CookieManager.getInstance().flush();
    }
}

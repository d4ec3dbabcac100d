import UIKit
import Capacitor

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        guard let windowScene = scene as? UIWindowScene else { return }

        // What another phone kept is gone before the first page could send it.
        KeptOnThisPhone.settle { [weak self] in
            self?.window = UIWindow(windowScene: windowScene)
            self?.window?.rootViewController = CAPBridgeViewController()
            self?.window?.makeKeyAndVisible()

            SceneDelegateProxy.shared.scene(scene, willConnectTo: session, options: connectionOptions)
        }
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        KeptOnThisPhone.leaveOutOfBackups()
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        SceneDelegateProxy.shared.scene(scene, openURLContexts: URLContexts)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        SceneDelegateProxy.shared.scene(scene, continue: userActivity)
    }
}

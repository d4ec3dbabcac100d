import Foundation
import Security
import WebKit

/// The sign-in is a cookie of the web view, and iOS copies an app's files to backups. The same refresh token on two phones is theft to the
/// server and ends both, so it stays here: what the web view keeps is left out of backups, and what came from another phone all the same,
/// by a move from phone to phone, is deleted before the first page.
enum KeptOnThisPhone {
    private static let markName = "app.swath.this-phone"

    /// Where the web view writes cookies, the day of the crew and what waits to be sent.
    private static let folders = ["Cookies", "WebKit", "HTTPStorages", "Application Support"]

    /// Deletes what another phone kept, if this is not that phone, then goes on; always on the main thread.
    static func settle(then goOn: @escaping () -> Void) {
        leaveOutOfBackups()
        guard cameFromAnotherPhone() else {
            goOn()
            return
        }
        let store = WKWebsiteDataStore.default()
        store.removeData(ofTypes: WKWebsiteDataStore.allWebsiteDataTypes(), modifiedSince: .distantPast) {
            newMark()
            goOn()
        }
    }

    /// A folder that is left out takes what is in it along; one that the web view makes later is left out the next time.
    static func leaveOutOfBackups() {
        guard let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first else { return }
        for name in folders {
            var folder = library.appendingPathComponent(name, isDirectory: true)
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
        }
    }

    /// The mark stands twice: in the settings, which a move takes along, and in the keychain of this device only, which it does not.
    private static func cameFromAnotherPhone() -> Bool {
        guard let kept = UserDefaults.standard.string(forKey: markName) else {
            newMark()
            return false
        }
        switch readMark() {
        case .found(let own): return own != kept
        case .none: return true
        // before the phone is first unlocked nobody can say: nothing is deleted on a guess
        case .locked: return false
        }
    }

    private enum Mark { case found(String), none, locked }

    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: markName,
            kSecAttrAccount as String: "mark",
        ]
    }

    private static func readMark() -> Mark {
        var asked = query
        asked[kSecReturnData as String] = true
        asked[kSecMatchLimit as String] = kSecMatchLimitOne
        var answer: CFTypeRef?
        let status = SecItemCopyMatching(asked as CFDictionary, &answer)
        if status == errSecItemNotFound { return .none }
        guard status == errSecSuccess, let data = answer as? Data, let text = String(data: data, encoding: .utf8) else {
            return .locked
        }
        return .found(text)
    }

    private static func newMark() {
        let mark = UUID().uuidString
        SecItemDelete(query as CFDictionary)
        var item = query
        item[kSecValueData as String] = Data(mark.utf8)
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        // without the mark in the keychain there is none in the settings either: the next start makes both
        guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else {
            UserDefaults.standard.removeObject(forKey: markName)
            return
        }
        UserDefaults.standard.set(mark, forKey: markName)
    }
}

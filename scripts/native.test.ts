import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'

// What holds of native/ without installing it; `npm run native:check` installs, syncs and builds.

const folder = join(import.meta.dirname, '../native')
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>

type Address = { origin: string; host: string; cleartext: boolean; id: string; name: string }
const { serverAddress } = createRequire(import.meta.url)('../native/server-address.js') as {
  serverAddress: () => Address
}

afterEach(() => vi.unstubAllEnvs())

describe('the server of a shell', () => {
  const of = (env: Record<string, string>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    return serverAddress()
  }

  it('comes from the environment', () => {
    expect(of({ SWATH_APP_URL: 'https://app.whitfield.com/', SWATH_APP_ID: 'com.whitfield.crew' })).toEqual({
      origin: 'https://app.whitfield.com',
      host: 'app.whitfield.com',
      cleartext: false,
      id: 'com.whitfield.crew',
      name: 'Swath',
    })
    expect(of({ SWATH_APP_URL: 'http://10.0.2.2:3000' })).toMatchObject({ cleartext: true, host: '10.0.2.2' })
  })

  it.each([
    [{ SWATH_APP_URL: 'http://app.whitfield.com' }, 'must begin with https://'],
    [{ SWATH_APP_URL: 'https://app.whitfield.com/crew' }, 'must look like https://app.example.com'],
    [{ SWATH_APP_URL: 'app.whitfield.com' }, 'must look like https://app.example.com'],
    [{ SWATH_APP_URL: 'capacitor://localhost' }, 'must look like https://app.example.com'],
    [{ SWATH_APP_ID: 'Whitfield' }, 'SWATH_APP_ID must look like com.example.crew'],
  ])('%j is refused in one line', (env, line) => expect(() => of(env)).toThrow(line))
})

it('every version is exact', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

it('both projects were synced with every plugin that is installed, and with no other', () => {
  const plugins = Object.keys(manifest.dependencies).filter((name) => !/^@capacitor\/(core|android|ios)$/.test(name))
  const named = (text: string) =>
    [...new Set([...text.matchAll(/node_modules\/(@[\w-]+\/[\w-]+)/g)].map((match) => match[1] ?? ''))]
      .filter((name) => name !== '@capacitor/android')
      .sort()
  expect(named(read('android/capacitor.settings.gradle'))).toEqual(plugins.sort())
  expect(named(read('ios/App/CapApp-SPM/Package.swift'))).toEqual(plugins)
})

describe('what a generated project would lose without a word', () => {
  const holds: [string, string, string | RegExp][] = [
    [
      'a traded refresh token is written down before the phone is put away',
      'android/app/src/main/java/app/swath/crew/MainActivity.java',
      'CookieManager.getInstance().flush()',
    ],
    [
      'a sign-in is not copied to another phone',
      'android/app/src/main/AndroidManifest.xml',
      'android:allowBackup="false"',
    ],
    [
      'links of the server open in the shell on Android',
      'android/app/src/main/AndroidManifest.xml',
      /<data android:scheme="https" android:host="\$\{appHost\}" \/>/,
    ],
    ['links of the server open in the shell on iOS', 'ios/App/App/App.entitlements', 'applinks:$(SWATH_HOST)'],
    [
      'iOS keeps the day for where there is no signal',
      'ios/App/App/Info.plist',
      /<key>WKAppBoundDomains<\/key>\s*<array>\s*<string>\$\(SWATH_HOST\)<\/string>/,
    ],
    ['iOS lets the camera be asked', 'ios/App/App/Info.plist', '<key>NSCameraUsageDescription</key>'],
    [
      'iOS lets positions be asked, also in the pocket',
      'ios/App/App/Info.plist',
      /<key>NSLocationAlwaysAndWhenInUseUsageDescription<\/key>[\s\S]*<string>location<\/string>/,
    ],
    [
      'iOS leaves what the web view keeps out of backups, when it starts and when it is put away',
      'ios/App/App/KeptOnThisPhone.swift',
      /folders = \["Cookies", "WebKit", "HTTPStorages", "Application Support"\][\s\S]*isExcludedFromBackup = true/,
    ],
    [
      'iOS looks whose phone it is before the first page',
      'ios/App/App/SceneDelegate.swift',
      /KeptOnThisPhone\.settle \{[\s\S]*CAPBridgeViewController\(\)[\s\S]*sceneDidEnterBackground[\s\S]*leaveOutOfBackups\(\)/,
    ],
    [
      'the mark of a phone stays on it',
      'ios/App/App/KeptOnThisPhone.swift',
      'kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly',
    ],
    [
      'iOS gives the app its push token',
      'ios/App/App/AppDelegate.swift',
      '.capacitorDidRegisterForRemoteNotifications',
    ],
    ['iOS says when it has none', 'ios/App/App/AppDelegate.swift', '.capacitorDidFailToRegisterForRemoteNotifications'],
    [
      'Apple lets the app be pushed to',
      'ios/App/App/App.entitlements',
      /<key>aps-environment<\/key>\s*<string>\$\(SWATH_APS\)/,
    ],
    ['Xcode signs for pushes of a trial', 'ios/debug.xcconfig', 'SWATH_APS = development'],
    ['Xcode signs for pushes of the store', 'ios/release.xcconfig', 'SWATH_APS = production'],
    [
      'Android takes the push service of its own file only where that file is',
      'android/app/build.gradle',
      /file\('google-services\.json'\)[\s\S]*com\.google\.gms\.google-services/,
    ],
    ['Xcode builds it', 'ios/App/App.xcodeproj/project.pbxproj', 'KeptOnThisPhone.swift in Sources */,'],
    ['a release for iOS knows its server', 'ios/release.xcconfig', '#include "app.xcconfig"'],
  ]
  it.each(holds)('%s', (_promise, path, text) => {
    if (typeof text === 'string') expect(read(path)).toContain(text)
    else expect(read(path)).toMatch(text)
  })

  it('Android copies nothing to a backup or another phone, whatever folder it counts it to', () => {
    const rules = read('android/app/src/main/res/xml/kept_on_this_phone.xml')
    const domains = (part: string) =>
      [
        ...(rules.match(new RegExp(`<${part}>[\\s\\S]*</${part}>`))?.[0] ?? '').matchAll(/domain="(\w+)" path="\."/g),
      ].map((found) => found[1])
    const all = ['root', 'file', 'database', 'sharedpref', 'external']
    for (const part of ['cloud-backup', 'device-transfer'])
      expect(domains(part)).toEqual([...all, ...all.filter((one) => one !== 'external').map((one) => `device_${one}`)])
  })

  it('iOS asks for the camera, photos and positions in both languages', () => {
    const asked = [...read('ios/App/App/Info.plist').matchAll(/<key>(NS\w+UsageDescription)<\/key>/g)].map(
      (one) => one[1],
    )
    const words = (language: string) =>
      Object.fromEntries(
        [...read(`ios/App/App/${language}.lproj/InfoPlist.strings`).matchAll(/^"(\w+)" = "(.+)";$/gm)].map((one) => [
          one[1],
          one[2],
        ]),
      )
    const [english, spanish] = [words('en'), words('es')]
    expect(asked.length).toBeGreaterThan(3)
    expect([Object.keys(english), Object.keys(spanish)]).toEqual([asked, asked])
    for (const key of asked) expect(spanish[key ?? '']).not.toBe(english[key ?? ''])
    const project = read('ios/App/App.xcodeproj/project.pbxproj')
    expect(project).toMatch(/knownRegions = \(\s*en,\s*es,/)
    expect(project).toContain('InfoPlist.strings in Resources */,')
  })

  it('Android takes photos without a permission of its own', () =>
    expect(read('android/app/src/main/AndroidManifest.xml')).not.toContain('android.permission.CAMERA'))
})

it('the page for no signal leads back to the server, in both languages, and takes nobody else’s words for code', async () => {
  const { noSignalPage } = (await import(join(folder, 'prepare.mjs'))) as {
    noSignalPage: (template: string, address: Address) => string
  }
  const address = {
    origin: 'https://app.whitfield.com',
    host: 'app.whitfield.com',
    cleartext: false,
    id: 'x',
    name: 'A & <b>',
  }
  const page = noSignalPage(read('no-signal.html'), address)
  expect(page).toContain('<a href="https://app.whitfield.com/">Try again')
  expect(page).toContain('A &amp; &lt;b&gt; no pudo conectarse con app.whitfield.com')
  expect(page).not.toMatch(/\{[A-Z]+\}|<b>/)
})

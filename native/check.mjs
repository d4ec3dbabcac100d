// npm run native:check: the shell is what its sources say. Installs this folder's packages, syncs, looks whether anything changed, holds the
// web's idea of the plugins against the plugins, and builds an APK where the Android tools are.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from './prepare.mjs'

const here = import.meta.dirname
const root = join(here, '..')
const tools = join(root, 'node_modules', '.bin')
const read = (name) => (existsSync(join(here, name)) ? readFileSync(join(here, name), 'utf8') : '')

/** Runs to its end; its words are shown only when it fails. */
const run = (name, command, args, { cwd = here, env = {} } = {}) => {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } })
  if (done.status === 0) return done.stdout
  console.error(`FAILED  ${name}\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`)
  process.exit(1)
}
const ok = (text) => console.log(`ok      ${text}`)
const not = (text) => console.log(`not     ${text}`)

/** The generated folders as they are, tracked or not: what a sync changes is seen before anything is committed. */
const picture = () =>
  run('looking at the generated files', 'git', ['ls-files', '-s', '-o', '-m', '--exclude-standard', 'android', 'ios']) +
  run('looking at what changed', 'git', ['diff', '--', 'android', 'ios'])

const installed = () => {
  const lock = JSON.parse(read('node_modules/.package-lock.json') || '{"packages":{}}').packages
  const wanted = Object.entries(JSON.parse(read('package-lock.json')).packages)
  return wanted.every(([place, { version, optional }]) => place === '' || optional || lock[place]?.version === version)
}

if (!installed()) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error']
  run('npm ci', 'npm', args)
  ok('packages of the shell installed from the lockfile')
}

run('types', join(tools, 'tsc'), ['-p', 'tsconfig.json'])
ok('what the web asks of the plugins is what they have')

const before = picture()
const { origin } = prepare()
run('cap sync', process.execPath, [join(here, 'node_modules/@capacitor/cli/bin/capacitor'), 'sync'], {
  env: { CI: '1', PATH: `${tools}:${process.env.PATH}` },
})
const after = picture()
if (before !== after) {
  console.error('FAILED  cap sync changed generated files: commit what it wrote.')
  console.error(run('git diff', 'git', ['diff', '--stat', '--', 'android', 'ios']))
  process.exit(1)
}
ok(`cap sync is clean; the shell opens ${origin}`)

const sdk = process.env.ANDROID_HOME || process.env.ANDROID_SDK_ROOT
const hasJava = spawnSync('java', ['-version']).status === 0
if (sdk && existsSync(sdk) && hasJava) {
  run('gradle assembleDebug', join(here, 'android/gradlew'), ['--no-daemon', 'assembleDebug'], {
    cwd: join(here, 'android'),
  })
  ok('APK built: native/android/app/build/outputs/apk/debug/app-debug.apk')
} else {
  const lacks = [...(sdk && existsSync(sdk) ? [] : ['the Android SDK (ANDROID_HOME)']), ...(hasJava ? [] : ['Java'])]
  not(`no APK was built: this machine lacks ${lacks.join(' and ')}`)
}
if (process.platform !== 'darwin') not('the iOS project was not built: that takes a Mac with Xcode')

// Makes the folder ready to run: installs from the lockfile when needed, links Node 24, builds the web (--web) when stale.
// Runs on any Node from 20 on before anything is installed, so it imports only node:*.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')
const modules = join(root, 'node_modules')
const mark = join(modules, '.swath-installed')
const node = join(modules, '.bin', 'node')
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
const wanted = createHash('sha256').update(`${lockText}\n${process.platform} ${process.arch}`).digest('hex')

const say = (text) => process.stdout.write(`${text}\n`)
const fail = (text) => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const isInstalled = () => read(mark) === wanted && existsSync(node)

/** Whether npm has already put the locked versions here (someone ran npm himself): then nothing has to be installed again. */
const hasLockedVersions = () => {
  const present = read(join(modules, '.package-lock.json'))
  if (!present) return false
  const { packages: installed } = JSON.parse(present)
  return Object.entries(JSON.parse(lockText).packages).every(
    ([place, entry]) => place === '' || entry.optional || entry.peer || installed[place]?.version === entry.version,
  )
}

/** What npm does must not depend on how the person's environment is set up. */
const cleanEnvironment = () => {
  const unwanted =
    /^(NODE_ENV|NODE_OPTIONS|npm_config_(omit|include|production|only|ignore_scripts|engine_strict|dry_run|global))$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)))
}

const runNpm = (args) => {
  const { npm_execpath: cli, npm_node_execpath: runner } = process.env
  const [command, first] = cli && /npm-cli\.c?js$/.test(cli) ? [runner ?? process.execPath, [cli]] : ['npm', []]
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: cleanEnvironment(),
  })
}

const install = () => {
  const started = Date.now()
  say('Installing packages (once; about half a minute) ...')
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-engine-strict',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // versions are locked, so what the cache holds need not be asked for again; should that not do, everything is
  const quick = runNpm([...args, '--prefer-offline'])
  const done = quick.status === 0 ? quick : runNpm(args)
  if (done.status !== 0)
    fail('The packages could not be installed; npm says why above. Run the same command again when it is put right.')
  say(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`)
}

/** Node 24 comes as a package for Linux; elsewhere the machine's own has to be new enough to run TypeScript. */
const linkNode = () => {
  if (existsSync(node)) return
  const packaged = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (!existsSync(packaged) && (major < 22 || (major === 22 && minor < 18))) {
    fail(
      `Swath brings no Node for ${process.platform}-${process.arch}: please install Node 24 (or 22.18 and newer); this one is ${process.version}.`,
    )
  }
  // npm 10 loses the link of two packages with one command when it leaves the other platform's out
  mkdirSync(join(modules, '.bin'), { recursive: true })
  rmSync(node, { force: true })
  symlinkSync(
    existsSync(packaged) ? join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node') : process.execPath,
    node,
  )
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** One set-up of this folder at a time: a second one waits and then finds the work done. */
const alone = async (work) => {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `swath-setup-${userInfo().uid}-${name}`)
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const holder = Number(read(lock))
      const justMade = holder === 0 && Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 5_000
      if (!justMade && !isAlive(holder)) rmSync(lock, { force: true })
      else await sleep(200)
    }
  }
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

if (!isInstalled()) {
  await alone(async () => {
    if (isInstalled()) return
    if (!hasLockedVersions()) install()
    linkNode()
    writeFileSync(mark, wanted)
  })
}

if (process.argv.includes('--web')) {
  const build = join(root, 'scripts', 'build-web.ts')
  if (existsSync(build)) {
    const done = spawnSync(node, [build, '--if-stale'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (done.status !== 0) fail('The web could not be built; the reason stands above.')
  }
}

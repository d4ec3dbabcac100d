import { ApiError } from '../../../shared/client.ts'
import type { Clock } from '../../timeclock/contract.ts'
import type { ConflictAnswer } from '../conflicts/contract.ts'
import type { CommandReply, CrewBundle } from '../contract.ts'
import { isVisitPhoto, mergeBundle, projectClock, replaceDoor, replaceStop } from '../projection/rules.ts'
import { type CrewCommand, isClockCommand } from '../rules.ts'
import type { Loaded, QueuedCommand, QueuedPhoto, Store } from './store.ts'

export type OutboxState = Loaded & {
  /** What the phone keeps has been read. */
  ready: boolean
  sending: boolean
  /** The last call got an answer, whatever it was. */
  reached: boolean
  /** The server asks who this is; nothing is sent, and nothing is lost, until somebody signs in. */
  needsSignIn: boolean
  /** The photo that is on its way, and how much of it has got there. */
  underWay: { id: string; sentBytes: number } | null
}

export type OutboxDeps = {
  store: Store
  sendCommands: (commands: CrewCommand[]) => Promise<CommandReply[]>
  /** @param onSent told how many bytes the server has, as they get there */
  sendPhoto: (photo: QueuedPhoto, blob: Blob, onSent: (bytes: number) => void) => Promise<void>
  /** False where this phone keeps photos for a network that it is not on. */
  mayUsePhotoLine: () => boolean
  /** One at a time over all tabs of the phone. */
  exclusive: (work: () => Promise<void>) => Promise<void>
  now: () => number
  later: (work: () => void, ms: number) => () => void
  newId: () => string
  /** Tells the other tabs that what is kept has changed. */
  announce: () => void
}

export type CommandInput = Pick<CrewCommand, 'type' | 'visitId' | 'payload'> & {
  label: string
  /** How long it waits on the phone, so that it can be undone. */
  holdMs?: number
}

const mostAtOnce = 50
const longestPauseMs = 60_000

type Failure = 'signIn' | 'later' | 'rejected'

/** What a failed call means: nothing that could work later is ever given up. */
const failureOf = (error: unknown): Failure => {
  if (!(error instanceof ApiError) || error.status === 0) return 'later'
  if (error.status === 401) return 'signIn'
  return error.status === 429 || error.status >= 500 ? 'later' : 'rejected'
}

const empty: OutboxState = {
  commands: [],
  photos: [],
  bundle: null,
  clock: null,
  ready: false,
  sending: false,
  reached: true,
  needsSignIn: false,
  underWay: null,
}

type NewPhoto = Pick<QueuedPhoto, 'visitId' | 'kind' | 'item' | 'takenAt' | 'label'> & Partial<Pick<QueuedPhoto, 'id'>>
/** A photo of what is written down with it. */
export type OwnPhoto = Pick<QueuedPhoto, 'id' | 'kind' | 'takenAt'> & { blob: Blob }

/**
 * What a person does on this phone on its way to the server: written down first, sent in order, taken off the list only when the server has
 * answered. What the server does not take stays in sight until a person has seen it.
 */
export const createOutbox = (userId: string, deps: OutboxDeps) => {
  const { store, now } = deps
  let state = empty
  let failures = 0
  let cancelTimer: (() => void) | null = null
  let flushing: Promise<void> | null = null
  let again = false
  let clockTaps = 0
  const listeners = new Set<() => void>()

  const become = (change: Partial<OutboxState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /**
   * Reads again what the phone keeps; what comes in while it reads is not lost from the screen.
   * @param all also the day and the clock: another tab may have newer ones
   */
  const reload = async (all = false): Promise<void> => {
    for (;;) {
      const before = state
      const { bundle, clock, ...lists } = await store.load(userId)
      if (before.commands !== state.commands || before.photos !== state.photos) continue
      become({
        ...lists,
        bundle: all ? bundle : (state.bundle ?? bundle),
        clock: all ? clock : (state.clock ?? clock),
        ready: true,
      })
      return
    }
  }

  const wakeIn = (ms: number): void => {
    cancelTimer?.()
    cancelTimer = deps.later(() => {
      cancelTimer = null
      void flush()
    }, ms)
  }

  const isWaiting = (item: { state: string }): boolean => item.state === 'waiting'

  /** The next commands in order; one that can still be undone holds up those after it. */
  const dueCommands = (): QueuedCommand[] => {
    const waiting = state.commands.filter(isWaiting)
    const held = waiting.findIndex((c) => c.notBefore > now())
    return held < 0 ? waiting : waiting.slice(0, held)
  }

  const replaceCommand = async (item: QueuedCommand): Promise<void> => {
    await store.putCommand(item)
    become({ commands: state.commands.map((c) => (c.seq === item.seq ? item : c)) })
  }

  const replacePhoto = async (item: QueuedPhoto): Promise<void> => {
    await store.putPhoto(item)
    become({ photos: state.photos.map((p) => (p.id === item.id ? item : p)) })
  }

  const take = async (sent: readonly QueuedCommand[], replies: readonly CommandReply[]): Promise<void> => {
    let { bundle, clock, commands } = state
    for (const item of sent) {
      const reply = replies.find((r) => r.id === item.command.id)
      if (!reply) continue
      if (reply.visit && bundle) bundle = replaceStop(bundle, reply.visit)
      if (reply.door && bundle) bundle = replaceDoor(bundle, reply.door)
      const taken = reply.result === 'applied' || reply.result === 'duplicate'
      if (taken && isClockCommand(item.command.type)) clockTaps += 1
      if (taken && clock && isClockCommand(item.command.type)) clock = projectClock(clock, [item.command], now())
      commands = taken
        ? commands.filter((c) => c.seq !== item.seq)
        : commands.map((c) => (c.seq === item.seq ? { ...c, state: 'attention' as const, reason: reply.reason } : c))
    }
    await store.keep(userId, { bundle, clock })
    for (const item of sent) {
      const left = commands.find((c) => c.seq === item.seq)
      if (!left) await store.removeCommand(item.seq)
      else if (left.state === 'attention') await store.putCommand(left)
    }
    become({ bundle, clock, commands })
  }

  /** @returns whether to go on */
  const failed = (error: unknown): boolean => {
    const failure = failureOf(error)
    become({ reached: error instanceof ApiError && error.status > 0, needsSignIn: failure === 'signIn' })
    if (failure === 'rejected') return true
    wakeIn(Math.min(longestPauseMs, 1_000 * 2 ** failures))
    failures += 1
    return false
  }

  const sendCommands = async (): Promise<boolean> => {
    let size = mostAtOnce
    for (let due = dueCommands(); due.length > 0; due = dueCommands()) {
      const batch = due.slice(0, size)
      try {
        const replies = await deps.sendCommands(batch.map((c) => c.command))
        failures = 0
        become({ reached: true, needsSignIn: false })
        if (!batch.some((c) => replies.some((r) => r.id === c.command.id))) throw new Error('no answer to any command')
        await take(batch, replies)
      } catch (error) {
        if (!failed(error)) return false
        // One of them is not taken: alone, each shows which.
        const [first] = batch
        if (batch.length > 1) size = 1
        else if (first) await replaceCommand({ ...first, state: 'attention', reason: 'rejected' })
      }
    }
    return true
  }

  const sendPhotos = async (): Promise<void> => {
    // A photo of a finish that can still be undone waits with it.
    if (state.commands.some(isWaiting)) return
    for (const photo of state.photos.filter(isWaiting)) {
      if (!deps.mayUsePhotoLine()) return
      const blob = await store.photoBlob(photo.id)
      const { id } = photo
      try {
        become({ underWay: { id, sentBytes: 0 } })
        if (blob)
          await deps.sendPhoto(photo, blob, (sentBytes) => {
            // A piece that got there is an answer: what breaks after it is tried again soon.
            failures = 0
            become({ reached: true, underWay: { id, sentBytes } })
          })
        failures = 0
        become({ reached: true, needsSignIn: false })
        await store.removePhoto(photo.id)
        const bundle = state.bundle && blob ? withPhoto(state.bundle, photo) : state.bundle
        await store.keep(userId, { bundle })
        become({ bundle, photos: state.photos.filter((p) => p.id !== photo.id) })
      } catch (error) {
        if (!failed(error)) return
        await replacePhoto({
          ...photo,
          state: 'attention',
          reason: error instanceof Error ? error.message : 'rejected',
        })
      } finally {
        become({ underWay: null })
      }
    }
  }

  const run = async (): Promise<void> => {
    // Another tab may have sent meanwhile.
    await reload()
    const photosGo = deps.mayUsePhotoLine()
    if (!state.commands.some(isWaiting) && !(photosGo && state.photos.some(isWaiting))) return
    become({ sending: dueCommands().length > 0 || !state.commands.some(isWaiting) })
    try {
      if (await sendCommands()) await sendPhotos()
    } finally {
      become({ sending: false })
    }
    const held = state.commands.filter(isWaiting).map((c) => c.notBefore - now())
    if (held[0] !== undefined && held[0] > 0) wakeIn(held[0])
    deps.announce()
  }

  const flush = (): Promise<void> => {
    if (flushing) {
      again = true
      return flushing
    }
    cancelTimer?.()
    cancelTimer = null
    flushing = deps
      .exclusive(run)
      .catch((error: unknown) => {
        failed(error)
      })
      .finally(() => {
        flushing = null
        if (!again) return
        again = false
        // What came in while it was sending; a failure just now has its own time.
        if (!cancelTimer) void flush()
      })
    return flushing
  }

  const queuedPhoto = (photo: NewPhoto, blob: Blob): QueuedPhoto => ({
    id: deps.newId(),
    ...photo,
    userId,
    queuedAt: now(),
    byteCount: blob.size,
    state: 'waiting',
    reason: null,
  })

  /** Writes down what the person did, with the photos of it, all or nothing; the screen changes when it is written. @throws when the phone cannot keep it */
  const enqueue = async (input: CommandInput, withPhotos: readonly OwnPhoto[] = []): Promise<CrewCommand> => {
    const { label, holdMs = 0, ...rest } = input
    const command: CrewCommand = { id: deps.newId(), at: new Date(now()).toISOString(), ...rest }
    const photos = withPhotos.map(({ blob, ...photo }) => ({
      blob,
      photo: queuedPhoto({ ...photo, visitId: command.id, label }, blob),
    }))
    const queued = {
      userId,
      command,
      label,
      queuedAt: now(),
      notBefore: now() + holdMs,
      state: 'waiting',
      reason: null,
    } as const
    const item = await store.addCommand(queued, photos)
    become({ commands: [...state.commands, item], photos: [...state.photos, ...photos.map(({ photo }) => photo)] })
    deps.announce()
    if (holdMs > 0 && !cancelTimer && !flushing) wakeIn(holdMs)
    else void flush()
    return command
  }

  /** Takes back what has not left the phone. @returns false when it was too late */
  const withdraw = async (commandId: string): Promise<boolean> => {
    const item = state.commands.find((c) => c.command.id === commandId)
    if (item?.state !== 'waiting' || item.notBefore <= now()) return false
    await store.removeCommand(item.seq)
    become({ commands: state.commands.filter((c) => c.seq !== item.seq) })
    deps.announce()
    void flush()
    return true
  }

  /** Nobody can take anything back any more, say because the phone goes into the pocket: what was held is sent. */
  const release = async (): Promise<void> => {
    for (const item of state.commands.filter((c) => isWaiting(c) && c.notBefore > now()))
      await replaceCommand({ ...item, notBefore: now() })
    await flush()
  }

  const addPhoto = async (photo: NewPhoto, blob: Blob): Promise<void> => {
    const item = queuedPhoto(photo, blob)
    await store.addPhoto(item, blob)
    become({ photos: [...state.photos, item] })
    deps.announce()
    void flush()
  }

  /** Sends again what was not taken: a further try of the same command, which the server judges anew unless it has applied it. */
  const retry = async (): Promise<void> => {
    for (const c of state.commands)
      if (c.state === 'attention') {
        const attempt = (c.command.attempt ?? 1) + 1
        await replaceCommand({ ...c, command: { ...c.command, attempt }, state: 'waiting', reason: null })
      }
    for (const p of state.photos)
      if (p.state === 'attention') await replacePhoto({ ...p, state: 'waiting', reason: null })
    failures = 0
    await flush()
  }

  /** What the office has decided is nobody's worry any more: it stays with the words of the answer until they are read. */
  const hear = async (answers: readonly ConflictAnswer[]): Promise<void> => {
    for (const c of state.commands) {
      const answer = c.state === 'attention' ? answers.find((one) => one.commandId === c.command.id) : undefined
      if (answer) await replaceCommand({ ...c, state: 'answered', answer })
    }
  }

  /** A person has seen it and lets it go. */
  const discard = async (id: string): Promise<void> => {
    const command = state.commands.find((c) => c.command.id === id && c.state !== 'waiting')
    const photo = state.photos.find((p) => p.id === id && p.state === 'attention')
    if (command) await store.removeCommand(command.seq)
    if (photo) await store.removePhoto(photo.id)
    await reload()
    deps.announce()
  }

  const saveClock = async (clock: Clock): Promise<void> => {
    become({ clock, reached: true })
    await store.keep(userId, { clock })
    // What the office has decided about is nobody's worry any more.
    const settled = state.commands.filter((c) => c.state !== 'waiting' && clock.settled?.includes(c.command.id))
    for (const { seq } of settled) await store.removeCommand(seq)
    if (settled.length === 0) return
    become({ commands: state.commands.filter((c) => !settled.includes(c)) })
    deps.announce()
  }

  return {
    userId,
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload,
    flush,
    enqueue,
    withdraw,
    release,
    addPhoto,
    retry,
    discard,
    photoBlob: (id: string) => store.photoBlob(id),
    /** A fresh answer of the server, kept for when there is none. */
    saveBundle: async (fresh: CrewBundle): Promise<void> => {
      const bundle = mergeBundle(state.bundle, fresh)
      become({ bundle, reached: true })
      await store.keep(userId, { bundle })
      await hear(fresh.answers ?? [])
    },
    /** The clock as the server has it now. An answer that was on its way while a tap was taken knows nothing of that tap: it is asked again. */
    loadClock: async (load: () => Promise<Clock>): Promise<void> => {
      for (;;) {
        const before = clockTaps
        const clock = await load()
        if (before === clockTaps) return saveClock(clock)
      }
    },
    noteReached: (reached: boolean): void => {
      if (state.reached !== reached) become({ reached })
    },
  }
}

/** How many things the office has not: what it has decided about is with it. */
export const unsentOf = ({ commands, photos }: Pick<OutboxState, 'commands' | 'photos'>): number =>
  commands.filter(({ state }) => state !== 'answered').length + photos.length

export type Outbox = ReturnType<typeof createOutbox>

const withPhoto = (bundle: CrewBundle, photo: QueuedPhoto): CrewBundle => ({
  ...bundle,
  days: bundle.days.map((day) => ({
    ...day,
    stops: day.stops.map((stop) =>
      stop.id === photo.visitId && isVisitPhoto(photo.kind)
        ? {
            ...stop,
            photos: { ...stop.photos, [photo.kind]: stop.photos[photo.kind] + 1 },
            photoItems: [...(stop.photoItems ?? []), ...(photo.item ? [photo.item] : [])],
          }
        : stop,
    ),
  })),
})

import { ApiError } from '../../../shared/client.ts'
import type { Clock } from '../../timeclock/contract.ts'
import type { ConflictAnswer } from '../conflicts/contract.ts'
import type { CommandReply, CrewBundle } from '../contract.ts'
import {
  type Early,
  isVisitPhoto,
  lostPhoto,
  mergeBundle,
  projectClock,
  replaceDoor,
  replaceStop,
  withEarly,
} from '../projection/rules.ts'
import {
  type CrewCommand,
  isClockCommand,
  isHalfDone,
  isVisitCommand,
  onOurClock,
  shownNow,
  storable,
} from '../rules.ts'
import { answersToHeld } from './held.ts'
import { sparing } from './keeping.ts'
import { createLane, failureOf, isBreak, type Lane, mostBreaks, neverReached } from './lane.ts'
import {
  type CommandInput,
  type NewPhoto,
  nothingYet,
  type OutboxDeps,
  type OutboxState,
  type OwnPhoto,
  withPlace,
} from './outboxState.ts'
import { photoSender, photosToSend, withPhoto } from './sendingPhotos.ts'
import type { QueuedCommand, QueuedPhoto } from './store.ts'

const mostAtOnce = 50

/**
 * What a person does on this phone on its way to the server: written down first, sent in order, taken off the list only when the server has
 * answered. What the server does not take stays in sight until a person has seen it. Taps and photos each have a lane: a tap never waits for photos.
 */
export const createOutbox = (userId: string, deps: OutboxDeps) => {
  const { now } = deps
  const store = sparing(deps.store, (full) => {
    if (state.full !== full) become({ full })
  })
  let state: OutboxState = deps.begun ? { ...nothingYet, ...deps.begun, ready: true } : nothingYet
  let clockTaps = 0
  /** Stops and what is owed there, as replies told of them before there was a day to put them in. */
  let early: Early = { stops: [], doors: [] }
  let left = false
  const listeners = new Set<() => void>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One at a time: what is shown and what is kept change together, although two lanes change them. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  const become = (change: Partial<OutboxState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /**
   * Reads again what the phone keeps; what comes in while it reads is not lost from the screen.
   * @param all also the day and the clock: another tab may have newer ones
   */
  const reload = (all = false): Promise<void> =>
    inTurn(async () => {
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
    })

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

  /** Changes a photo as it is by now; one that has gone meanwhile, say because it got there, stays gone. */
  const changePhoto = (id: string, change: (now: QueuedPhoto) => Partial<QueuedPhoto>): Promise<void> =>
    inTurn(async () => {
      const before = state.photos.find((p) => p.id === id)
      if (!before) return
      const item = { ...before, ...change(before) }
      await store.putPhoto(item)
      become({ photos: state.photos.map((p) => (p.id === id ? item : p)) })
    })

  const dropPhoto = (id: string): Promise<void> =>
    inTurn(async () => {
      await store.removePhoto(id)
      become({ photos: state.photos.filter((p) => p.id !== id) })
    })

  const wasTaken = (reply: CommandReply | undefined): boolean =>
    reply?.result === 'applied' || reply?.result === 'duplicate'

  const take = (sent: readonly QueuedCommand[], replies: readonly CommandReply[]): Promise<void> =>
    inTurn(async () => {
      const replyTo = ({ command }: QueuedCommand) => replies.find(({ id }) => id === command.id)
      const isSent = ({ command }: QueuedCommand) => sent.some((one) => one.command.id === command.id)
      let { bundle, clock } = state
      for (const item of sent) {
        const reply = replyTo(item)
        if (reply?.visit && bundle) bundle = replaceStop(bundle, reply.visit)
        else if (reply?.visit) early.stops.push(reply.visit)
        if (reply?.door && bundle) bundle = replaceDoor(bundle, reply.door)
        else if (reply?.door) early.doors.push(reply.door)
        if (!wasTaken(reply) || !isClockCommand(item.command.type)) continue
        clockTaps += 1
        if (clock) clock = projectClock(clock, [onOurClock(item.command)], shownNow(now(), deps.clock()))
      }
      const after = (item: QueuedCommand): QueuedCommand[] => {
        const reply = isSent(item) ? replyTo(item) : undefined
        if (!reply) return [item]
        return wasTaken(reply) && !isHalfDone(reply.reason)
          ? []
          : [{ ...item, state: 'attention', reason: reply.reason }]
      }
      // What has gone makes room for what is kept.
      for (const item of sent) {
        const [left] = after(item)
        if (!left) await store.removeCommand(item.seq)
        else if (left !== item) await store.putCommand(left)
      }
      await store.keep(userId, { bundle, clock })
      become({ bundle, clock, commands: state.commands.flatMap(after) })
    })

  /** @returns whether to go on */
  const failedOn =
    (lane: () => Lane) =>
    (error: unknown): boolean => {
      const failure = failureOf(error)
      const reached = error instanceof ApiError ? error.status > 0 : state.reached && !neverReached(error)
      become({ reached, needsSignIn: failure === 'signIn' })
      if (failure === 'rejected') return true
      lane().rest()
      return false
    }
  const tapsFailed = failedOn(() => taps)

  /** How often the server broke at a command that came alone. */
  const breaks = { commandId: '', count: 0 }

  const sendBatch = async (batch: readonly QueuedCommand[]): Promise<void> => {
    const replies = await deps.sendCommands(batch.map(withPlace))
    taps.wentThrough()
    become({ reached: true, needsSignIn: false })
    if (!batch.some((c) => replies.some((r) => r.id === c.command.id))) throw new Error('no answer to any command')
    await take(batch, replies)
  }

  const setAside = (item: QueuedCommand, reason: string): Promise<void> =>
    replaceCommand({ ...item, state: 'attention', reason })

  /**
   * The server broke at one that came alone. Broke it there again and again while the next one goes through, it is this one and not the server: it
   * stays in sight, and the rest goes on.
   * @returns whether it is out of the way
   */
  const brokeAt = async (first: QueuedCommand, next: QueuedCommand | undefined): Promise<boolean> => {
    const { id } = first.command
    breaks.count = breaks.commandId === id ? breaks.count + 1 : 1
    breaks.commandId = id
    if (breaks.count < mostBreaks || !next) return false
    await sendBatch([next])
    await setAside(first, 'failed')
    return true
  }

  const sendCommands = async (): Promise<void> => {
    let size = mostAtOnce
    for (let due = dueCommands(); due.length > 0; due = dueCommands()) {
      const batch = due.slice(0, size)
      const [first] = batch
      try {
        await sendBatch(batch)
      } catch (error) {
        // One of them is not taken: alone, each shows which.
        const isAlone = batch.length === 1
        const broke = isBreak(error)
        if (broke && !isAlone) size = 1
        else if (broke && first && (await brokeAt(first, due[1]).catch(() => false))) size = 1
        else if (!tapsFailed(error)) return
        else if (!isAlone) size = 1
        else if (first) await setAside(first, 'rejected')
      }
    }
  }

  const photosGo = (): boolean => deps.mayUsePhotoLine() && photosToSend(state).length > 0

  const runTaps = async (): Promise<void> => {
    // Another tab may have sent meanwhile.
    await reload()
    if (state.commands.some(isWaiting)) {
      const due = dueCommands().length > 0
      become({ sending: due || state.underWay !== null, sendingTaps: due })
      try {
        await sendCommands()
      } finally {
        become({ sending: state.underWay !== null, sendingTaps: false })
      }
      const [held] = state.commands.filter(isWaiting).map((c) => c.notBefore - now())
      if (held !== undefined && held > 0) taps.wakeIn(held)
      deps.announce()
    }
    if (photosGo() && dueCommands().length === 0) photos.nudge()
  }

  const runPhotos = async (): Promise<void> => {
    await reload()
    if (!photosGo()) return
    become({ sending: true })
    try {
      await sendPhotos()
    } finally {
      become({ sending: state.sendingTaps })
    }
    deps.announce()
  }

  const taps: Lane = createLane({
    run: runTaps,
    exclusive: (work) => deps.exclusive('taps', work),
    later: deps.later,
    now,
    onError: tapsFailed,
  })
  const photosFailed = failedOn(() => photos)
  const photos: Lane = createLane({
    run: runPhotos,
    exclusive: (work) => deps.exclusive('photos', work),
    later: deps.later,
    now,
    onError: photosFailed,
  })

  const sendPhotos = photoSender({
    ...deps,
    store,
    state: () => state,
    become,
    taps,
    tapsAreDue: () => dueCommands().length > 0,
    wentThrough: () => photos.wentThrough(),
    failed: photosFailed,
    change: changePhoto,
    taken: (photo) =>
      inTurn(async () => {
        await store.removePhoto(photo.id)
        const bundle = state.bundle && withPhoto(state.bundle, photo)
        await store.keep(userId, { bundle })
        become({ bundle, photos: state.photos.filter((p) => p.id !== photo.id) })
      }),
  })

  /** Sends now what can go, on both lanes. */
  const flush = async (): Promise<void> => {
    await Promise.all([taps.flush(), photos.flush()])
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

  const withPhotosOf = (added: readonly QueuedPhoto[]): QueuedPhoto[] => [
    ...state.photos.filter(({ id }) => added.every((one) => one.id !== id)),
    ...added,
  ]

  /** What waits here is known, the last call got an answer, and the phone does not say that it has no network. */
  const canTellNow = (): boolean =>
    state.ready && state.reached && !state.needsSignIn && globalThis.navigator?.onLine !== false

  /**
   * Writes down what the person did, with the photos of it, all or nothing; the screen changes when it is written. Where the phone has no room but a
   * signal the office is told of a tap at once; what stands in a form stays there. @throws when the phone cannot keep it
   */
  const enqueue = async (input: CommandInput, withPhotos: readonly OwnPhoto[] = []): Promise<CrewCommand> => {
    const { label, holdMs = 0, at = new Date(now()).toISOString(), ...rest } = input
    const known = deps.clock()
    const command = storable({ id: deps.newId(), at, ...rest, ...(known ? { clock: known } : {}) })
    const added = withPhotos.map(({ blob, ...photo }) => ({
      blob,
      photo: { ...queuedPhoto({ visitId: command.id, label, ...photo }, blob), commandId: command.id },
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
    const item = await store.addCommand(queued, added).catch((error: unknown) => {
      if (added.length > 0 || !(isClockCommand(command.type) || isVisitCommand(command.type)) || !canTellNow())
        throw error
      // Nothing holds it back: a phone that cannot write must not be the only one to know.
      return store.holdCommand({ ...queued, notBefore: now() }, state.commands.at(-1)?.seq ?? 0)
    })
    // The lists may have been read again meanwhile, with it.
    become({
      commands: [...state.commands.filter((one) => one.command.id !== command.id), item],
      photos: withPhotosOf(added.map(({ photo }) => photo)),
    })
    deps.announce()
    if (item.notBefore > now()) taps.wakeUpIn(holdMs)
    else void taps.flush()
    return command
  }

  /** Takes back what has not left the phone. @returns false when it was too late */
  const withdraw = async (commandId: string): Promise<boolean> => {
    const item = state.commands.find((c) => c.command.id === commandId)
    if (item?.state !== 'waiting' || item.notBefore <= now()) return false
    await store.removeCommand(item.seq)
    // What was photographed for it shows nothing any more.
    const gone = state.photos.filter((photo) => photo.commandId === commandId)
    for (const { id } of gone) await store.removePhoto(id)
    become({
      commands: state.commands.filter((c) => c.seq !== item.seq),
      photos: state.photos.filter((photo) => !gone.includes(photo)),
    })
    deps.announce()
    void taps.flush()
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
    become({ photos: withPhotosOf([item]) })
    deps.announce()
    photos.nudge()
  }

  /** Sends again what was not taken: a further try of the same command, which the server judges anew unless it has applied it. */
  const retry = async (): Promise<void> => {
    for (const c of state.commands)
      if (c.state === 'attention') {
        const attempt = (c.command.attempt ?? 1) + 1
        await replaceCommand({ ...c, command: { ...c.command, attempt }, state: 'waiting', reason: null })
      }
    for (const p of state.photos)
      if (p.state === 'attention') await changePhoto(p.id, () => ({ state: 'waiting', reason: null }))
    taps.wentThrough()
    photos.wentThrough()
    await flush()
  }

  /** What the office has decided is nobody's worry any more: it stays with the words of the answer until they are read. */
  const hear = async (answers: readonly ConflictAnswer[]): Promise<void> => {
    for (const c of state.commands) {
      const answer = c.state === 'attention' ? answers.find((one) => one.commandId === c.command.id) : undefined
      if (answer) await replaceCommand({ ...c, state: 'answered', answer })
    }
    await hearPhotos(answers)
    photos.nudge()
  }

  /**
   * The photos of what the office has decided about, which wait or were not taken as long as it was not: of what counts they go now, as do those of a
   * visit, which keeps them either way; of what does not count there is nothing they could belong to, and the phone lets them go.
   */
  const hearPhotos = async (answers: readonly ConflictAnswer[]): Promise<void> => {
    for (const photo of state.photos) {
      if (photo.decided || photo.reason === lostPhoto) continue
      const answer = answers.find(({ commandId }) => commandId === (photo.commandId ?? photo.visitId))
      if (!answer) continue
      if (answer.decision === 'counts' || isVisitPhoto(photo.kind))
        await changePhoto(photo.id, () => ({ decided: true, state: 'waiting', reason: null }))
      else await dropPhoto(photo.id)
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
    /** Looks whether something can go; what rests after a failure keeps its time. */
    nudge: (): void => {
      taps.nudge()
      photos.nudge()
    },
    enqueue,
    withdraw,
    release,
    addPhoto,
    retry,
    discard,
    photoBlob: (id: string) => store.photoBlob(id),
    /** A fresh answer of the server, kept for when there is none. */
    saveBundle: async (fresh: CrewBundle): Promise<void> => {
      await inTurn(async () => {
        // an answer that was on its way when its person left
        if (left) return
        const bundle = mergeBundle(state.bundle, withEarly(fresh, early))
        early = { stops: [], doors: [] }
        become({ bundle, reached: true })
        await store.keep(userId, { bundle })
      })
      await hear(fresh.answers ?? [])
      await hear(await answersToHeld(state, deps.answersTo))
    },
    /** The clock as the server has it now. An answer that was on its way while a tap was taken knows nothing of that tap: it is asked again. */
    loadClock: async (load: () => Promise<Clock>): Promise<void> => {
      for (;;) {
        const before = clockTaps
        const clock = await load()
        if (left) return
        if (before === clockTaps) return saveClock(clock)
      }
    },
    /** Its person is here and looks at the screens. */
    arrive: (): void => {
      left = false
    },
    /** Its person leaves this phone: the day and the clock come again with the next sign-in, what was not sent stays. */
    forget: (): Promise<void> =>
      inTurn(() => {
        left = true
        early = { stops: [], doors: [] }
        become({ bundle: null, clock: null })
        return store.keep(userId, { bundle: null, clock: null })
      }),
    noteReached: (reached: boolean): void => {
      if (state.reached !== reached) become({ reached })
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>

import type { ConflictAnswer } from '../conflicts/contract.ts'
import type { CommandReply } from '../contract.ts'
import type { CrewCommand } from '../rules.ts'
import { createOutbox } from './outbox.ts'
import type { OutboxDeps, PhotoWay } from './outboxState.ts'
import type { Loaded, QueuedCommand, QueuedPhoto, Store } from './store.ts'

/** For tests: a phone whose memory outlives the app, and a server that answers what the test says. */
export const aPhone = () => {
  const commands = new Map<number, QueuedCommand>()
  const photos = new Map<string, QueuedPhoto>()
  const blobs = new Map<string, Blob>()
  let seq = 0
  const log: string[] = []
  const answered = new Map<string, { attempt: number; reply: CommandReply }>()
  const store: Store = {
    load: async (userId) => ({
      commands: [...commands.values()].filter((c) => c.userId === userId).sort((a, b) => a.seq - b.seq),
      photos: [...photos.values()].filter((p) => p.userId === userId),
      bundle: null,
      clock: null,
    }),
    addCommand: async (command, added = []) => {
      if (phone.cannotAdd || phone.fullAfter < added.length) throw new DOMException('', 'QuotaExceededError')
      const item = { ...command, seq: ++seq }
      for (const { photo, blob } of added) {
        photos.set(photo.id, photo)
        blobs.set(photo.id, blob)
      }
      commands.set(item.seq, item)
      log.push(`kept ${command.command.type}`)
      return item
    },
    putCommand: async (command) => {
      if (phone.cannotWrite) throw new DOMException('', 'QuotaExceededError')
      commands.set(command.seq, command)
    },
    removeCommand: async (key) => void commands.delete(key),
    addPhoto: async (photo, blob) => {
      if (phone.fullAfter < 1) throw new DOMException('', 'QuotaExceededError')
      phone.fullAfter -= 1
      photos.set(photo.id, photo)
      blobs.set(photo.id, blob)
    },
    photoBlob: async (id) => blobs.get(id) ?? null,
    putPhoto: async (photo) => void (photos.has(photo.id) && photos.set(photo.id, photo)),
    removePhoto: async (id) => {
      photos.delete(id)
      blobs.delete(id)
    },
    keep: async () => {
      if (phone.cannotWrite) throw new DOMException('', 'QuotaExceededError')
    },
  }
  let at = 1_000_000
  let timers: { at: number; work: () => void }[] = []
  const queues = new Map<string, Promise<unknown>>()
  const phone = {
    log,
    load: store.load,
    commands,
    photos,
    blobs,
    answer: (command: CrewCommand): Partial<CommandReply> | Error => ({ result: 'applied', id: command.id }),
    answersTo: async (_ids: string[]): Promise<ConflictAnswer[]> => [],
    answerPhoto: (_photo: QueuedPhoto, _way: PhotoWay): Error | null | Promise<void> => null,
    /** The answer to a tap is on its way. */
    tapTakes: null as Promise<void> | null,
    pauses: [] as number[],
    photosGo: true,
    clock: undefined as { behind: number; sure: boolean } | undefined,
    /** So many photos are kept before the phone is full. */
    fullAfter: 100,
    /** There is no room for what became of things. */
    cannotWrite: false,
    /** There is no room for a tap either. */
    cannotAdd: false,
    /** @param begun what was read before the app was there */
    open: (userId = 'luis', begun: Loaded | null = null) => {
      const deps: OutboxDeps = {
        store,
        begun,
        sendCommands: async (list) => {
          log.push(`sent ${list.map((c) => c.type).join(' ')}`)
          await phone.tapTakes
          return list.map((c) => {
            // Like the server: what was answered once is answered the same, until a further try of what was not applied.
            const before = answered.get(c.id)
            if (before && (before.reply.result === 'applied' || before.attempt >= (c.attempt ?? 1))) return before.reply
            const answer = phone.answer(c)
            if (answer instanceof Error) throw answer
            const reply: CommandReply = { id: c.id, result: 'applied', reason: null, visit: null, ...answer }
            answered.set(c.id, { attempt: c.attempt ?? 1, reply })
            return reply
          })
        },
        answersTo: async (ids) => {
          log.push(`asked ${ids.length}`)
          return phone.answersTo(ids)
        },
        mayUsePhotoLine: () => phone.photosGo,
        sendPhoto: async (photo, _blob, way) => {
          log.push(`photo ${photo.kind}`)
          const error = await phone.answerPhoto(photo, way)
          if (error) throw error
        },
        exclusive: (lane, work) => {
          const turn = (queues.get(lane) ?? Promise.resolve()).then(work, work)
          queues.set(
            lane,
            turn.catch(() => undefined),
          )
          return turn
        },
        now: () => at,
        clock: () => phone.clock,
        later: (work, ms) => {
          phone.pauses.push(ms)
          const timer = { at: at + ms, work }
          timers.push(timer)
          return () => {
            timers = timers.filter((t) => t !== timer)
          }
        },
        newId: () => `id${++seq}`,
        announce: () => undefined,
      }
      return createOutbox(userId, deps)
    },
    /** Lets time pass and everything happen that is due. */
    pass: async (ms: number) => {
      at += ms
      const due = timers.filter((t) => t.at <= at)
      timers = timers.filter((t) => t.at > at)
      for (const timer of due) timer.work()
      await phone.settle()
    },
    settle: async () => {
      for (let i = 0; i < 300; i++) await Promise.resolve()
    },
    waiting: () => [...commands.values()].filter((c) => c.state === 'waiting').length,
    attention: () => [...commands.values()].filter((c) => c.state === 'attention').map((c) => c.reason),
  }
  return phone
}

import type { CommandReply, CrewBundle } from '../contract.ts'
import { projectBundle } from '../projection/rules.ts'
import type { CrewCommand } from '../rules.ts'
import { playHere } from './playing.ts'
import type { Loaded, QueuedCommand, QueuedPhoto, Store } from './store.ts'

/** What a phone keeps, kept in this tab alone: it is gone with it. */
export const memoryStore = (): Store => {
  let seq = 0
  let commands: QueuedCommand[] = []
  let photos: QueuedPhoto[] = []
  const blobs = new Map<string, Blob>()
  const kept = new Map<string, Pick<Loaded, 'bundle' | 'clock'>>()
  const of = <T extends { userId: string }>(items: readonly T[], userId: string) =>
    items.filter((item) => item.userId === userId)
  const keepPhoto = (photo: QueuedPhoto, blob: Blob): void => {
    photos = [...photos, photo]
    blobs.set(photo.id, blob)
  }
  return {
    load: async (userId) => ({
      commands: of(commands, userId),
      photos: of(photos, userId),
      bundle: kept.get(userId)?.bundle ?? null,
      clock: kept.get(userId)?.clock ?? null,
    }),
    addCommand: async (command, added = []) => {
      seq += 1
      const item = { ...command, seq }
      for (const { photo, blob } of added) keepPhoto(photo, blob)
      commands = [...commands, item]
      return item
    },
    putCommand: async (command) => {
      commands = commands.map((one) => (one.seq === command.seq ? command : one))
    },
    removeCommand: async (gone) => {
      commands = commands.filter((one) => one.seq !== gone)
    },
    addPhoto: async (photo, blob) => keepPhoto(photo, blob),
    photoBlob: async (id) => blobs.get(id) ?? null,
    putPhoto: async (photo) => {
      photos = photos.map((one) => (one.id === photo.id ? photo : one))
    },
    removePhoto: async (id) => {
      photos = photos.filter((one) => one.id !== id)
      blobs.delete(id)
    },
    keep: async (userId, change) => {
      kept.set(userId, { ...(kept.get(userId) ?? { bundle: null, clock: null }), ...change })
    },
  }
}

/** The answers that a server would give when it took everything, made up here: each stop as the commands leave it. */
export const playedReplies = (bundle: CrewBundle | null, commands: readonly CrewCommand[]): CommandReply[] => {
  const after = bundle ? projectBundle(bundle, commands) : null
  const stopOf = (visitId: string | undefined) =>
    after?.days.flatMap(({ stops }) => stops).find(({ id }) => id === visitId)
  return commands.map(({ id, visitId }) => {
    const stop = stopOf(visitId)
    // A version of its own, so that the next look at the server's day does not take the play back.
    return { id, result: 'applied', reason: null, visit: stop ? { ...stop, version: stop.version + 1 } : null }
  })
}

/** What a visitor sees behind the tap: no code of a demo is anybody's, and a real one is never asked for without writing down who looked. */
const playedGateCode = '2580'

/** Plays the day of this tab's tour. */
export const playDay = (): void => playHere({ store: memoryStore(), replies: playedReplies, gateCode: playedGateCode })

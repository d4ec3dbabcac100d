import type { Kept, QueuedCommand, Store } from './store.ts'

export type SparingStore = Store & {
  /**
   * A tap that the phone could not write, after those that it knows: in the memory of the app until it has left or there is room. Its number has a
   * fraction and is this app's alone: the store gives it one of its own once it is written, as other people and tabs have theirs there.
   */
  holdCommand: (command: Omit<QueuedCommand, 'seq'>, lastSeq: number) => QueuedCommand
}

type Unwritten<K, V> = Map<K, V | null>

const over = <K, V>(items: readonly V[], unwritten: Unwritten<K, V>, keyOf: (item: V) => K): V[] =>
  items.flatMap((item) => {
    const newer = unwritten.get(keyOf(item))
    return newer === undefined ? [item] : newer === null ? [] : [newer]
  })

/**
 * A store that goes on where the phone has no room left: a change that could not be written is held in the memory of the app, is read as if it were
 * written, and is written as soon as there is room. What a person does at this moment (`addCommand`, `addPhoto`) still fails aloud: they must know
 * before they walk on; a tap that can leave at once is held by `holdCommand` instead.
 * @param onFull told whether the phone can write
 */
export const sparing = (store: Store, onFull: (full: boolean) => void): SparingStore => {
  const commands: Unwritten<number, Parameters<Store['putCommand']>[0]> = new Map()
  const photos: Unwritten<string, Parameters<Store['putPhoto']>[0]> = new Map()
  const kept = new Map<string, Partial<Kept>>()
  /** Never written so far, in the order of the thumb. */
  const held = new Map<number, QueuedCommand>()
  /** The numbers that the store gave to those: who sends one meanwhile knows it by its first. */
  const moved = new Map<number, number>()

  const tellRoom = (): void => {
    if (commands.size + photos.size + kept.size + held.size === 0) onFull(false)
  }
  const write = async <K, V>(unwritten: Map<K, V>, key: K, value: V, work: () => Promise<void>): Promise<boolean> => {
    unwritten.set(key, value)
    try {
      await work()
      // It may have changed once more while it was written.
      if (unwritten.get(key) === value) unwritten.delete(key)
      tellRoom()
      return true
    } catch {
      onFull(true)
      return false
    }
  }
  const putCommand = async (first: number, item: QueuedCommand | null): Promise<boolean> => {
    if (held.has(first)) {
      if (item) held.set(first, item)
      else held.delete(first)
      tellRoom()
      return true
    }
    const seq = moved.get(first) ?? first
    const known = item && { ...item, seq }
    return write(commands, seq, known, () => (known ? store.putCommand(known) : store.removeCommand(seq)))
  }
  const putPhoto = (id: string, item: Parameters<Store['putPhoto']>[0] | null) =>
    write(photos, id, item, () => (item ? store.putPhoto(item) : store.removePhoto(id)))
  const keep = (userId: string, fresh: Partial<Kept>) => {
    const all = { ...kept.get(userId), ...fresh }
    return write(kept, userId, all, () => store.keep(userId, all))
  }

  /** The held ones in their order, each as a new one of the store. @throws when the phone has no room yet */
  const writeHeld = async (): Promise<void> => {
    for (const first of [...held.keys()].sort((a, b) => a - b)) {
      const item = held.get(first)
      if (!item) continue
      const { seq: _, ...fresh } = item
      const { seq } = await store.addCommand(fresh)
      moved.set(first, seq)
      const now = held.get(first)
      held.delete(first)
      // It may have left or have been answered while it was written.
      if (now !== item) await putCommand(seq, now ?? null)
    }
    tellRoom()
  }
  let writing: Promise<void> | null = null
  const writeHeldOnce = (): Promise<void> => {
    writing ??= writeHeld().finally(() => {
      writing = null
    })
    return writing
  }

  /** What goes makes room for what is still to be written. */
  const writeAgain = async (): Promise<void> => {
    const goneFirst = <K, V>(unwritten: Unwritten<K, V>) =>
      [...unwritten].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null))
    for (const [id, item] of goneFirst(photos)) if (!(await putPhoto(id, item))) return
    for (const [seq, item] of goneFirst(commands)) if (!(await putCommand(seq, item))) return
    for (const userId of kept.keys()) await keep(userId, {})
    await writeHeldOnce().catch(() => onFull(true))
  }

  return {
    ...store,
    load: async (userId) => {
      await writeAgain()
      const loaded = await store.load(userId)
      return {
        ...loaded,
        ...kept.get(userId),
        commands: [
          ...over(loaded.commands, commands, ({ seq }) => seq),
          ...[...held.values()].filter(
            ({ userId: whose, command }) =>
              whose === userId && loaded.commands.every((one) => one.command.id !== command.id),
          ),
        ].sort((a, b) => a.seq - b.seq),
        photos: over(loaded.photos, photos, ({ id }) => id),
      }
    },
    // Never before one that is held: a finish would be written ahead of its start.
    addCommand: async (command, added) => {
      if (held.size > 0) await writeHeldOnce()
      return store.addCommand(command, added)
    },
    holdCommand: (command, lastSeq) => {
      const item = { ...command, seq: Math.max(lastSeq, ...held.keys()) + 1 / 1024 }
      held.set(item.seq, item)
      onFull(true)
      return item
    },
    putCommand: async (item) => void (await putCommand(item.seq, item)),
    removeCommand: async (seq) => void (await putCommand(seq, null)),
    putPhoto: async (item) => void (await putPhoto(item.id, item)),
    removePhoto: async (id) => void (await putPhoto(id, null)),
    keep: async (userId, fresh) => void (await keep(userId, fresh)),
  }
}

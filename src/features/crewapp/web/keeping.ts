import type { Kept, QueuedCommand, Store } from './store.ts'

export type SparingStore = Store & {
  /** A tap that the phone could not write, after those that it knows: in the memory of the app until it has left or there is room. */
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
  /** Never written so far, in the order of the thumb: whole numbers are given by the store. */
  const held = new Set<number>()

  const write = async <K, V>(unwritten: Map<K, V>, key: K, value: V, work: () => Promise<void>): Promise<boolean> => {
    unwritten.set(key, value)
    try {
      await work()
      // It may have changed once more while it was written.
      if (unwritten.get(key) === value) unwritten.delete(key)
      if (commands.size + photos.size + kept.size === 0) onFull(false)
      return true
    } catch {
      onFull(true)
      return false
    }
  }
  const putCommand = (seq: number, item: Parameters<Store['putCommand']>[0] | null) =>
    write(commands, seq, item, () => (item ? store.putCommand(item) : store.removeCommand(seq))).then((written) => {
      if (written || item === null) held.delete(seq)
      return written
    })
  const putPhoto = (id: string, item: Parameters<Store['putPhoto']>[0] | null) =>
    write(photos, id, item, () => (item ? store.putPhoto(item) : store.removePhoto(id)))
  const keep = (userId: string, fresh: Partial<Kept>) => {
    const all = { ...kept.get(userId), ...fresh }
    return write(kept, userId, all, () => store.keep(userId, all))
  }

  /** What goes makes room for what is still to be written. */
  const writeAgain = async (): Promise<void> => {
    const goneFirst = <K, V>(unwritten: Unwritten<K, V>) =>
      [...unwritten].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null))
    for (const [id, item] of goneFirst(photos)) if (!(await putPhoto(id, item))) return
    for (const [seq, item] of goneFirst(commands)) if (!(await putCommand(seq, item))) return
    for (const userId of kept.keys()) await keep(userId, {})
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
          ...[...held].flatMap((seq) => {
            const item = commands.get(seq)
            return item?.userId === userId && loaded.commands.every((one) => one.seq !== seq) ? [item] : []
          }),
        ].sort((a, b) => a.seq - b.seq),
        photos: over(loaded.photos, photos, ({ id }) => id),
      }
    },
    holdCommand: (command, lastSeq) => {
      const item = { ...command, seq: lastSeq + 1 / 1024 }
      held.add(item.seq)
      commands.set(item.seq, item)
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

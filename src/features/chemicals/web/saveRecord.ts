import { toast } from '../../../ui/toast.tsx'
import type { SendOver } from '../../../ui/useVersioned.tsx'

/** Adds what is new, or sends what was changed of what is there; says so and closes the panel. */
export const saveRecord = async <T extends { id: string; version: number }, Body extends { name: string }>({
  body,
  record,
  versioned,
  add,
  change,
  onClose,
}: {
  body: Body
  record: T | null
  versioned: { save: (body: Body, send: SendOver<T, Body>) => Promise<unknown> }
  add: (body: Body) => Promise<{ name: string }>
  change: (body: Partial<Body> & { id: string; version: number }) => Promise<unknown>
  onClose: () => void
}): Promise<void> => {
  if (!record) {
    const { name } = await add(body)
    toast.success(`${name} added`)
    return onClose()
  }
  await versioned.save(body, async (changes, over, also) => {
    await change({ ...changes, id: over.id, version: over.version })
    toast.success(`${body.name} saved${also}`)
    onClose()
  })
}

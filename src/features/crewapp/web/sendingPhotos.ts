import type { CrewBundle } from '../contract.ts'
import { isVisitPhoto, knowsPhoto, lostPhoto } from '../projection/rules.ts'
import type { Lane } from './lane.ts'
import type { OutboxDeps, OutboxState } from './outboxState.ts'
import type { QueuedCommand, QueuedPhoto } from './store.ts'

type PhotoDeps = Pick<OutboxDeps, 'store' | 'sendPhoto' | 'mayUsePhotoLine'> & {
  state: () => OutboxState
  become: (change: Partial<OutboxState>) => void
  taps: Pick<Lane, 'through'>
  tapsAreDue: () => boolean
  wentThrough: () => void
  /** @returns whether to go on */
  failed: (error: unknown) => boolean
  taken: (photo: QueuedPhoto) => Promise<void>
  /** Changes a photo as it is by now, where it still is. */
  change: (id: string, change: (now: QueuedPhoto) => Partial<QueuedPhoto>) => Promise<void>
}

/** Whether what a photo belongs to has not left yet: nobody knows there what it would be a photo of. */
const waitsForItsTap = (photo: QueuedPhoto, commands: readonly QueuedCommand[]): boolean =>
  commands.some(
    ({ state, command }) =>
      state === 'waiting' && (photo.commandId ? command.id === photo.commandId : !isVisitPhoto(photo.kind)),
  )

/** The photos that could go now, in their order. */
export const photosToSend = ({ photos, commands }: Pick<OutboxState, 'photos' | 'commands'>): QueuedPhoto[] =>
  photos.filter((photo) => photo.state === 'waiting' && !waitsForItsTap(photo, commands))

/**
 * Sends the photos one by one, beside the taps and never before them: what a person tapped meanwhile goes first, between two photos and between two
 * pieces of one. One that failed lets the others go before it is tried again; one whose bytes are not on the phone any more stays in sight as lost.
 */
export const photoSender = (deps: PhotoDeps) => {
  const { state, become, taps } = deps
  let failedId: string | null = null

  const next = (): QueuedPhoto | undefined => {
    const going = photosToSend(state())
    return going[(going.findIndex(({ id }) => id === failedId) + 1) % going.length]
  }

  const sendOne = async (photo: QueuedPhoto, blob: Blob): Promise<void> => {
    const { id } = photo
    let had: number | null = null
    become({ underWay: { id, sentBytes: 0 } })
    await deps.sendPhoto(photo, blob, {
      onSent: (sentBytes) => {
        // What the server had already is an answer, but nothing that got there just now.
        if (had !== null && sentBytes > had) deps.wentThrough()
        had = sentBytes
        become({ reached: true, underWay: { id, sentBytes } })
      },
      beforePiece: taps.through,
    })
    deps.wentThrough()
    become({ reached: true, needsSignIn: false })
    await deps.taken(photo)
  }

  return async (): Promise<void> => {
    for (;;) {
      await taps.through()
      const photo = next()
      // Where taps cannot go, photos would not either; their lane calls this one when they are through.
      if (!photo || deps.tapsAreDue() || !deps.mayUsePhotoLine()) return
      try {
        const blob = await deps.store.photoBlob(photo.id)
        if (blob) await sendOne(photo, blob)
        else await deps.change(photo.id, () => ({ state: 'attention', reason: lostPhoto }))
      } catch (error) {
        failedId = photo.id
        if (!deps.failed(error)) return
        const reason = error instanceof Error ? error.message : 'rejected'
        // What the office has decided while it was on its way changes the answer: it is tried once more.
        await deps.change(photo.id, (now) => (now.decided && !photo.decided ? {} : { state: 'attention', reason }))
      } finally {
        become({ underWay: null })
      }
    }
  }
}

/** The day with a photo that the server has now. A day that was read after it got there knows it already. */
export const withPhoto = (bundle: CrewBundle, photo: QueuedPhoto): CrewBundle => ({
  ...bundle,
  days: bundle.days.map((day) => ({
    ...day,
    stops: day.stops.map((stop) =>
      stop.id === photo.visitId && isVisitPhoto(photo.kind) && !knowsPhoto(stop, photo.id)
        ? {
            ...stop,
            photos: { ...stop.photos, [photo.kind]: stop.photos[photo.kind] + 1 },
            pictures: [...(stop.pictures ?? []), { id: photo.id, kind: photo.kind }],
            photoItems: [...(stop.photoItems ?? []), ...(photo.item ? [photo.item] : [])],
          }
        : stop,
    ),
  })),
})

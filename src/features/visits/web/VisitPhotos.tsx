import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { PhotoStrokes } from '../../../ui/PhotoStrokes.tsx'
import type { Visit } from '../contract.ts'

const kinds = { before: 'Before', after: 'After', other: 'Photo' } as const
type Photo = Visit['photos'][number]

const sizeOf = ({ width, height }: Photo) => (width && height ? { width, height } : null)

const labelOf = (photo: Photo): string => (photo.fromCustomer ? 'From the customer' : kinds[photo.kind])

const caption = (photo: Photo, zone: string): string =>
  [
    labelOf(photo),
    photo.takenAt ? `${formatDay(dayOf(photo.takenAt, zone))}, ${formatTime(photo.takenAt, zone)}` : null,
    photo.byName && photo.fromCustomer ? `added by ${photo.byName}` : photo.byName,
  ]
    .filter(Boolean)
    .join(' · ')

/** The crew's photos and those that the customer sent, small; each opens large, with the ones beside it a click away. */
export const VisitPhotos = ({ photos, timeZone }: { photos: readonly Photo[]; timeZone: string }) => {
  const [at, setAt] = useState<number | null>(null)
  const shown = at === null ? undefined : photos[at]
  const step = (by: number) => setAt(((at ?? 0) + by + photos.length) % photos.length)
  return (
    <section className="visit-part">
      <h3>
        Photos <span className="hint num">{photos.length || ''}</span>
      </h3>
      {photos.length === 0 ? (
        <p className="muted">None yet. What the crew takes on its phone stands here.</p>
      ) : (
        <ul className="visit-photos">
          {photos.map((photo, index) => (
            <li key={photo.id}>
              <button type="button" onClick={() => setAt(index)} aria-label={`Open: ${caption(photo, timeZone)}`}>
                <img src={photo.url} alt="" loading="lazy" decoding="async" />
                {photo.strokes.length > 0 ? <PhotoStrokes strokes={photo.strokes} size={sizeOf(photo)} /> : null}
                <span>{labelOf(photo)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={shown !== undefined}
        onClose={() => setAt(null)}
        title={shown ? caption(shown, timeZone) : ''}
        size="l"
      >
        {shown ? (
          <div className="visit-large">
            <div className="visit-large__photo">
              <img src={shown.url} alt={caption(shown, timeZone)} />
              {shown.strokes.length > 0 ? (
                <PhotoStrokes key={shown.id} strokes={shown.strokes} size={sizeOf(shown)} fit="contain" />
              ) : null}
            </div>
            {photos.length > 1 ? (
              <div className="visit-large__steps">
                <Button icon={<IconChevronLeft />} onClick={() => step(-1)}>
                  Previous
                </Button>
                <span className="hint num">
                  {(at ?? 0) + 1} of {photos.length}
                </span>
                <Button icon={<IconChevronRight />} onClick={() => step(1)}>
                  Next
                </Button>
              </div>
            ) : null}
          </div>
        ) : null}
      </Dialog>
    </section>
  )
}

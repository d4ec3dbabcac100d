import { useState } from 'react'
import { PhotoStrokes } from '../../../../ui/PhotoStrokes.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { markTexts } from './markTexts.ts'
import { PenSheet } from './PenSheet.tsx'
import { useStopPhotos } from './stopPhotos.ts'
import './marks.css'

/** The photos of a stop; each opens with a pen to circle something on it. */
export const PhotoPart = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const words = markTexts(crew.language)
  const photos = useStopPhotos(crew, stop)
  const [openId, setOpenId] = useState<string | null>(null)
  if (photos.length === 0) return null
  return (
    <section className="c-pics" aria-label={words.heading}>
      <ul>
        {photos.map((photo, at) => (
          <li key={photo.id}>
            {photo.url ? (
              <button
                type="button"
                aria-label={words.draw(words.kinds[photo.kind], at + 1)}
                onClick={() => setOpenId(photo.id)}
              >
                <img src={photo.url} alt={words.photo(words.kinds[photo.kind], at + 1)} />
                {photo.strokes.length > 0 ? <PhotoStrokes strokes={photo.strokes} /> : null}
              </button>
            ) : (
              <span>{words.waits}</span>
            )}
          </li>
        ))}
      </ul>
      <PenSheet
        crew={crew}
        stop={stop}
        photo={photos.find(({ id, url }) => id === openId && url !== null) ?? null}
        onClose={() => setOpenId(null)}
      />
    </section>
  )
}

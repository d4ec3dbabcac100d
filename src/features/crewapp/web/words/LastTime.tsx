import { useEffect, useState } from 'react'
import { PhotoStrokes } from '../../../../ui/PhotoStrokes.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { shortDay } from '../labels.ts'
import { keepLastPhotos, lastPhotoUrl } from './lastPhotos.ts'
import { lastTexts } from './lastTexts.ts'
import './words.css'

const usePhotos = (crew: Crew, ids: readonly string[]): (string | null)[] => {
  const [urls, setUrls] = useState<(string | null)[]>([])
  const { bundle } = crew.state
  const { userId } = crew.outbox
  const key = ids.join()
  useEffect(() => {
    let gone = false
    let made: (string | null)[] = []
    const look = async () => {
      const found = await Promise.all((key ? key.split(',') : []).map((id) => lastPhotoUrl(userId, id)))
      if (gone) for (const url of found) url && URL.revokeObjectURL(url)
      else {
        for (const url of made) url && URL.revokeObjectURL(url)
        made = found
        setUrls(found)
      }
    }
    void look()
    if (bundle && typeof caches !== 'undefined')
      void keepLastPhotos(userId, bundle).then(() => (gone ? undefined : look()))
    return () => {
      gone = true
      for (const url of made) url && URL.revokeObjectURL(url)
    }
  }, [key, bundle, userId])
  return urls
}

/** What the last visit left for this one: when, who, its words and what it looked like. */
export const LastTime = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const words = lastTexts[crew.language]
  const { last } = stop
  const urls = usePhotos(crew, last?.photoIds ?? [])
  // A day that was stored before it knew of last times says nothing.
  if (last === undefined) return null
  if (last === null)
    return (
      <div className="c-last">
        <p>{words.first}</p>
      </div>
    )
  const head = [shortDay(last.day, crew.t), last.by].filter(Boolean).join(', ')
  const waits = last.photoIds.length > 0 && urls.every((url) => url === null)
  return (
    <div className="c-last">
      <p>
        <b>{`${words.lastTime(head)}${last.text ? ':' : ''}`}</b>
        {last.text ? ` ${last.text}` : ''}
      </p>
      {urls.some(Boolean) ? (
        <ul className="c-last__photos">
          {urls.map((url, at) =>
            url ? (
              <li key={last.photoIds[at]}>
                <img src={url} alt={words.photo(at + 1, head)} />
                {last.marks?.[last.photoIds[at] ?? ''] ? (
                  <PhotoStrokes strokes={last.marks[last.photoIds[at] ?? ''] ?? []} />
                ) : null}
              </li>
            ) : null,
          )}
        </ul>
      ) : waits ? (
        <p className="muted">{words.waits}</p>
      ) : null}
    </div>
  )
}

import { type ReactNode, useState } from 'react'
import type { Photo } from '../contract.ts'
import './messagePhotos.css'

type Shown = Omit<Photo, 'id'> & { id?: string }

const One = ({ photo: { url, smallUrl, name }, label }: { photo: Shown; label: string }) => {
  const [gone, setGone] = useState(false)
  if (gone) return <p className="message-photos__gone">{name ?? label}: this photo is not there any more.</p>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <img src={smallUrl} alt={label} loading="lazy" onError={() => setGone(true)} />
      {name ? <span>{name}</span> : null}
    </a>
  )
}

/** Photos of a message, small; one opens large in a tab of its own. */
export const MessagePhotos = <P extends Shown>({
  photos,
  mine,
  below,
}: {
  photos: readonly P[]
  /** Left out where what stands beside says whose they are. */
  mine?: boolean
  /** What can be done with one. */
  below?: ((photo: P, label: string) => ReactNode) | undefined
}) =>
  photos.length === 0 ? null : (
    <ul className="message-photos">
      {photos.map((photo, at) => {
        const label = `${mine === undefined ? 'Photo' : mine ? 'Sent' : 'From the customer'}, ${at + 1} of ${photos.length}`
        return (
          <li key={photo.url}>
            <One photo={photo} label={label} />
            {below?.(photo, label)}
          </li>
        )
      })}
    </ul>
  )

import type { Photo } from '../contract.ts'
import './messagePhotos.css'

/** Photos of a message, small; one opens large in a tab of its own. */
export const MessagePhotos = ({
  photos,
  mine,
}: {
  photos: readonly Photo[] /** Left out where what stands beside says whose they are. */
  mine?: boolean
}) =>
  photos.length === 0 ? null : (
    <ul className="message-photos">
      {photos.map(({ url, smallUrl, name }, at) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={smallUrl}
              alt={`${mine === undefined ? 'Photo' : mine ? 'Sent' : 'From the customer'}, ${at + 1} of ${photos.length}`}
              loading="lazy"
            />
            {name ? <span>{name}</span> : null}
          </a>
        </li>
      ))}
    </ul>
  )

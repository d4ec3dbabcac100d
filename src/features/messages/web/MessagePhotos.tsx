import type { Photo } from '../contract.ts'
import './messagePhotos.css'

/** Photos that a customer sent along, small; one opens large in a tab of its own. */
export const MessagePhotos = ({ photos }: { photos: readonly Photo[] }) =>
  photos.length === 0 ? null : (
    <ul className="message-photos">
      {photos.map(({ url, smallUrl }, at) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img src={smallUrl} alt={`From the customer, ${at + 1} of ${photos.length}`} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  )

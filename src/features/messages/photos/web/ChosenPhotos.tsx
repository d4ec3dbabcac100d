import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconX } from '../../../../ui/icons.ts'
import type { MessagePhoto } from '../contract.ts'
import './photos.css'

/** What goes with the message that is being written. */
export const ChosenPhotos = ({
  photos,
  onRemove,
}: {
  photos: readonly MessagePhoto[]
  onRemove: (id: string) => void
}) =>
  photos.length === 0 ? null : (
    <ul className="mp-chosen" aria-label="Photos that go with it">
      {photos.map(({ id, smallUrl }, at) => (
        <li key={id}>
          <img src={smallUrl} alt={`To be sent, ${at + 1} of ${photos.length}`} />
          <IconButton size="s" label={`Remove photo ${at + 1}`} icon={<IconX />} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  )

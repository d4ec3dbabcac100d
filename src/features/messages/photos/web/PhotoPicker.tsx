import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FileDrop } from '../../../../ui/FileDrop.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { IconCheck } from '../../../../ui/icons.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { largestUpload } from '../../../files/rules.ts'
import type { CustomerPhoto, MessagePhoto } from '../contract.ts'
import { mostMessagePhotos, photoTextSegments } from '../rules.ts'
import { customerPhotosQuery, useAddMessagePhoto } from './data.ts'
import './photos.css'

const fromWords: Record<CustomerPhoto['from'], string> = { visit: 'Visit', message: 'Message' }

const OfCustomer = ({
  customerId,
  chosen,
  full,
  onToggle,
}: {
  customerId: string
  chosen: readonly MessagePhoto[]
  full: boolean
  onToggle: (photo: MessagePhoto) => void
}) => {
  const found = useQuery(customerPhotosQuery(customerId))
  const { timeZone } = useUser().business
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  if (found.data.items.length === 0)
    return <p className="hint">There are none yet: photos of their visits and messages will stand here.</p>
  return (
    <ul className="mp-grid">
      {found.data.items.map((photo) => {
        const { id, smallUrl, from, at } = photo
        const isChosen = chosen.some((one) => one.id === id)
        const label = `${fromWords[from]}, ${formatDay(dayOf(at, timeZone))}`
        return (
          <li key={id}>
            <button
              type="button"
              aria-pressed={isChosen}
              disabled={full && !isChosen}
              onClick={() => onToggle({ id, url: photo.url, smallUrl })}
            >
              <img src={smallUrl} alt="" loading="lazy" />
              {isChosen ? <IconCheck size={22} aria-hidden="true" /> : null}
              <span>{label}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Photos to go with a message: new ones, and those that there are of the customer. */
export const PhotoPicker = ({
  customerId,
  name,
  sms,
  chosen,
  onChange,
  onClose,
}: {
  customerId: string
  name: string
  sms: boolean
  chosen: readonly MessagePhoto[]
  onChange: (change: (now: readonly MessagePhoto[]) => MessagePhoto[]) => void
  onClose: () => void
}) => {
  const add = useAddMessagePhoto()
  const [error, setError] = useState<string | undefined>()
  const full = chosen.length >= mostMessagePhotos
  const take = async (files: readonly File[]) => {
    const room = mostMessagePhotos - chosen.length
    setError(files.length > room ? `At most ${mostMessagePhotos} photos go with one message.` : undefined)
    try {
      for (const file of files.slice(0, room)) {
        const photo = await add.mutateAsync(file)
        onChange((now) => [...now, photo].slice(0, mostMessagePhotos))
      }
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : 'This photo did not arrive. Try again.')
    }
  }
  const toggle = (photo: MessagePhoto) =>
    onChange((now) =>
      now.some(({ id }) => id === photo.id)
        ? now.filter(({ id }) => id !== photo.id)
        : [...now, photo].slice(0, mostMessagePhotos),
    )
  return (
    <Dialog open onClose={onClose} title="Add photos">
      <div className="mp-pick">
        <p className="hint">
          At most {mostMessagePhotos} go with one message.
          {sms
            ? ` A text with photos counts as ${photoTextSegments} segments, and they are made small enough for every phone.`
            : ''}
        </p>
        <FileDrop
          label={add.isPending ? 'Adding…' : full ? `${mostMessagePhotos} photos are chosen` : 'Choose photos'}
          hint="JPEG, PNG or WebP"
          accept="image/*"
          multiple
          maxBytes={largestUpload}
          disabled={add.isPending || full}
          onFiles={(files) => void take(files)}
          error={error}
        />
        <section aria-label={`Photos of ${name}`}>
          <h3>Photos of {name}</h3>
          <OfCustomer customerId={customerId} chosen={chosen} full={full} onToggle={toggle} />
        </section>
        <FormActions>
          <Button kind="primary" disabled={add.isPending} onClick={onClose}>
            {chosen.length === 0 ? 'Done' : chosen.length === 1 ? 'Add 1 photo' : `Add ${chosen.length} photos`}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

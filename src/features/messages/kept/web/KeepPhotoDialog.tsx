import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { Photo } from '../../contract.ts'
import { type PhotoVisit, sentPhotosApi } from '../contract.ts'
import { photoVisitsQuery, useKeepPhoto } from './data.ts'
import './keptPhotos.css'

const stateWords: Record<string, string> = { completed: 'done', skipped: 'skipped', missed: 'missed' }

/** To which visit a photo that a customer sent is added. */
export const KeepPhotoDialog = ({
  messageId,
  photo,
  onClose,
}: {
  messageId: string
  photo: Photo
  onClose: () => void
}) => {
  const today = useToday()
  const sent = { messageId, fileId: photo.id }
  const found = useQuery(photoVisitsQuery(sent))
  const keep = useKeepPhoto(sent)
  const [picked, setPicked] = useState<string | null>(null)
  const visits = found.data?.items ?? []
  const open = visits.filter(({ isKept }) => !isKept)
  const kept = visits.filter(({ isKept }) => isKept)
  // a photo is most often about what the crew comes for next
  const next = open.find(({ status }) => !(status in stateWords))
  const chosen = open.find(({ id }) => id === picked) ?? next ?? open[0]
  const dayOf = ({ day }: PhotoVisit) =>
    day === today ? 'Today' : formatDay(day, { year: day.slice(0, 4) !== today.slice(0, 4) })
  const add = (visit: PhotoVisit) =>
    keep.mutate(visit.id, {
      onSuccess: () => {
        toast.success(`It stands with the visit of ${formatDay(visit.day)} now`)
        onClose()
      },
    })
  return (
    <Dialog open onClose={onClose} title="Add to the photos of a visit">
      <div className="kept-photo">
        <img src={photo.smallUrl} alt={photo.name ?? 'From the customer'} />
        <p className="hint">The crew sees it at the stop, and it stays with the visit.</p>
        {found.isError && !found.data ? (
          <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : !found.data ? (
          <PanelSkeleton />
        ) : visits.length === 0 ? (
          <Banner>They have no visit yet. Book one first; the photo stays in this conversation.</Banner>
        ) : (
          <>
            {open.length > 0 ? (
              <RadioField
                label="Visit"
                value={chosen?.id ?? null}
                onChange={setPicked}
                options={open.map((visit) => ({
                  value: visit.id,
                  label: dayOf(visit),
                  hint: [visit.title, visit.street, stateWords[visit.status]].filter(Boolean).join(' · '),
                }))}
              />
            ) : null}
            {kept.length > 0 ? (
              <p className="hint">
                It stands with {kept.map((visit) => (visit.day === today ? 'today' : dayOf(visit))).join(' and ')}{' '}
                already.
              </p>
            ) : null}
          </>
        )}
        {keep.isError ? <Banner tone="error">{keep.error.message}</Banner> : null}
        <FormActions>
          {chosen ? (
            <Button kind="primary" calls={sentPhotosApi.keep} loading={keep.isPending} onClick={() => add(chosen)}>
              Add photo
            </Button>
          ) : null}
          <Button onClick={onClose}>{chosen ? 'Cancel' : 'Close'}</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

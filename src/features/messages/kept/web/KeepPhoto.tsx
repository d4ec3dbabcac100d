import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { IconPlus } from '../../../../ui/icons.ts'
import { useMay } from '../../../accounts/web/session.ts'
import type { Photo } from '../../contract.ts'
import { sentPhotosApi } from '../contract.ts'

const KeepPhotoDialog = lazy(() => import('./KeepPhotoDialog.tsx').then((m) => ({ default: m.KeepPhotoDialog })))

/** Under a photo that a customer sent: it can stand with a visit, where the crew sees it. */
export const KeepPhoto = ({ messageId, photo, label }: { messageId: string; photo: Photo; label: string }) => {
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may(sentPhotosApi.keep)) return null
  return (
    <>
      <Button
        size="s"
        kind="quiet"
        calls={sentPhotosApi.keep}
        icon={<IconPlus />}
        aria-label={`Add to a visit: ${photo.name ?? label}`}
        onClick={() => setOpen(true)}
      >
        Add to a visit
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <KeepPhotoDialog messageId={messageId} photo={photo} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

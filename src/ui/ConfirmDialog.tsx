import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { whenReached } from '#src/shared/reached.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import './ConfirmDialog.css'
import { Dialog } from './Dialog.tsx'
import { focusUnread } from './useTyped.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** What will happen, to how many, and whether it can be undone. */
  children?: ReactNode
  /** Says what it does: "Send 38 invoices", never "OK". */
  confirmLabel: string
  cancelLabel?: string
  danger?: boolean
  /** Its promise keeps the dialog open and busy; an error is shown in it. */
  onConfirm: () => unknown
}

/** Only before money goes out, many people get a message, or something cannot be undone. Else do it and offer undo. */
export const ConfirmDialog = ({
  open,
  onClose,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger,
  onConfirm,
}: Props) => {
  const body = useRef<HTMLDivElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [unreached, setUnreached] = useState(false)
  // What it said is not true any more: the question stands as before.
  useEffect(() => (unreached ? whenReached(() => setProblem(null)) : undefined), [unreached])
  const close = () => {
    setProblem(null)
    onClose()
  }
  const confirm = async () => {
    if (focusUnread(body.current)) return
    setBusy(true)
    setProblem(null)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setUnreached(error instanceof ApiError && error.status === 0)
      setProblem(
        error instanceof ApiError ? error.message : 'This did not work. Nothing was changed; please try again.',
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open={open} onClose={busy ? () => undefined : close} title={title} size="s">
      <div className="ui-confirm" ref={body}>
        {children ? <div className="muted">{children}</div> : null}
        {problem ? <Banner tone="error">{problem}</Banner> : null}
        <div className="ui-confirm__actions">
          <Button onClick={close} disabled={busy} data-autofocus={danger || undefined}>
            {cancelLabel}
          </Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            className={danger ? 'ui-button--solid' : ''}
            loading={busy}
            onClick={confirm}
            data-autofocus={danger ? undefined : true}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

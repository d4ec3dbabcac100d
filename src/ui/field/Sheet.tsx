import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useDoubleClickGuard } from '../doubleClick.ts'
import { IconX } from '../icons.ts'
import { dropSecondTap } from './secondTap.ts'
import './field.css'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  footer?: ReactNode
  closeLabel?: string
  children: ReactNode
}

/** Something to answer, from below; the browser's own dialog keeps the focus and takes the back gesture and Esc. */
export const Sheet = ({ open, onClose, title, footer, closeLabel = 'Close', children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const guard = useDoubleClickGuard(open)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) element.showModal()
    if (!open && element.open) element.close()
  }, [open])
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the dialog's own; the click only takes the backdrop */}
      <dialog
        ref={dialog}
        className="field f-sheet"
        aria-labelledby={titleId}
        // one that another sheet took the place of is closed already: its word must not close the other
        onClose={() => open && onClose()}
        onClickCapture={guard === 'opening' ? dropSecondTap : undefined}
        onClick={(event) => event.target === dialog.current && guard === null && onClose()}
      >
        {open ? (
          <>
            <div className="f-sheet__head">
              <h2 id={titleId}>{title}</h2>
              <button type="button" className="f-sheet__close" aria-label={closeLabel} onClick={onClose}>
                <IconX aria-hidden="true" />
              </button>
            </div>
            <div className="f-sheet__body">{children}</div>
            {footer ? <div className="f-sheet__foot">{footer}</div> : null}
          </>
        ) : null}
      </dialog>
      {guard === 'closing' ? <div className="f-shield" /> : null}
    </>
  )
}

import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useDoubleClickGuard } from '../doubleClick.ts'
import { IconX } from '../icons.ts'
import { dropSecondTap } from './secondTap.ts'
import { useSheetBack } from './sheetBack.ts'
import './field.css'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  footer?: ReactNode
  closeLabel?: string
  children: ReactNode
}

type Content = Pick<Props, 'title' | 'footer' | 'children'>

/** What stands in a sheet. What was typed in one that Back or Esc closed is there when the same one is opened again: nobody meant to throw it away. */
const useContent = (open: boolean, now: Content) => {
  const [kept, setKept] = useState<Content | null>(null)
  const [before, setBefore] = useState(open)
  const [round, setRound] = useState(0)
  const typed = useRef(false)
  if (open !== before) {
    setBefore(open)
    if (open && kept) {
      if (kept.title !== now.title) setRound(round + 1)
      setKept(null)
    }
  }
  const isGone = !open && kept === null
  useEffect(() => {
    if (isGone) typed.current = false
  }, [isGone])
  return {
    content: open ? now : kept,
    round,
    onInput: () => {
      typed.current = true
    },
    keep: () => {
      if (typed.current) setKept(now)
    },
  }
}

/** Something to answer, from below; the browser's own dialog keeps the focus and takes Esc, and the phone's Back closes it (`sheetBack.ts`). */
export const Sheet = ({ open, onClose, title, footer, closeLabel = 'Close', children }: Props) => {
  const { content, round, onInput, keep } = useContent(open, { title, footer, children })
  const leave = () => {
    keep()
    onClose()
  }
  useSheetBack(open, leave)
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
        onClose={() => open && leave()}
        onInput={onInput}
        onClickCapture={guard === 'opening' ? dropSecondTap : undefined}
        onClick={(event) => event.target === dialog.current && guard === null && onClose()}
      >
        {content ? (
          <Fragment key={round}>
            <div className="f-sheet__head">
              <h2 id={titleId}>{content.title}</h2>
              <button type="button" className="f-sheet__close" aria-label={closeLabel} onClick={onClose}>
                <IconX aria-hidden="true" />
              </button>
            </div>
            <div className="f-sheet__body">{content.children}</div>
            {content.footer ? <div className="f-sheet__foot">{content.footer}</div> : null}
          </Fragment>
        ) : null}
      </dialog>
      {guard === 'closing' ? <div className="f-shield" /> : null}
    </>
  )
}

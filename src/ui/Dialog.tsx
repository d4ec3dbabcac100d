import { Modal, Portal } from '@mantine/core'
import type { ReactNode } from 'react'
import './theme/mantine-base.ts'
import '@mantine/core/styles/Modal.layer.css'
import './Dialog.css'
import { useDoubleClickGuard } from './doubleClick.ts'
import { noteDialogClosed } from './floating.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  size?: 's' | 'm' | 'l' | 'full'
  /** False while something half done must not be lost by a click beside it. Esc and the cross still close. */
  closeOnOutside?: boolean
  /** Only what stands in it closes it: no cross, no Esc. */
  required?: boolean
  children: ReactNode
}

const widths = { s: 420, m: 560, l: 860, full: '100%' }

/** A question or a short form over the screen. Focus stays in it and goes back where it was. A sheet from below on phones. */
export const Dialog = ({
  open,
  onClose,
  title,
  size = 'm',
  closeOnOutside = true,
  required = false,
  children,
}: Props) => {
  const guard = useDoubleClickGuard(open)
  return (
    <>
      <Modal
        opened={open}
        onClose={() => {
          noteDialogClosed()
          onClose()
        }}
        title={title}
        size={widths[size]}
        fullScreen={size === 'full'}
        centered
        closeOnClickOutside={closeOnOutside && !required && guard === null}
        closeOnEscape={!required}
        withCloseButton={!required}
        transitionProps={{ transition: 'fade', duration: 120 }}
        // A dialog's head is not the banner of the page.
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': 'Close', size: 36 }}
        classNames={{
          content: 'ui-dialog',
          header: 'ui-dialog__head',
          title: 'ui-dialog__title',
          body: 'ui-dialog__body',
          inner: 'ui-dialog__inner',
          overlay: 'ui-dialog__veil',
          close: 'ui-dialog__close',
        }}
      >
        {children}
      </Modal>
      {guard === 'closing' ? (
        <Portal>
          <div className="ui-dialog__shield" />
        </Portal>
      ) : null}
    </>
  )
}

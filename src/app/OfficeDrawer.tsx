import { useEffect, useRef } from 'react'
import { useOnlyLooks, useSession } from '../features/accounts/web/session.ts'
import { IconLogout, IconX } from '../ui/icons.ts'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar on a phone: comes in from the left, keeps the focus, leaves by itself after a choice. */
export const OfficeDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const session = useSession()
  const onlyLooks = useOnlyLooks()
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className="drawer"
      aria-label="Menu"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open ? (
        <div className="drawer__in">
          <button type="button" className="drawer__close" aria-label="Close" onClick={onClose}>
            <IconX size={22} aria-hidden="true" />
          </button>
          <Sidebar onGo={onClose} />
          <button type="button" className="drawer__logout" onClick={() => void session.signOut()}>
            <IconLogout size={20} aria-hidden="true" />
            {onlyLooks ? 'Leave' : 'Logout'}
          </button>
        </div>
      ) : null}
    </dialog>
  )
}

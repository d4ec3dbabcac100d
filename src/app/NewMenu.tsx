import { useId } from 'react'
import { useMaybeUser } from '../features/accounts/web/session.ts'
import { Button } from '../ui/Button.tsx'
import { IconPlus } from '../ui/icons.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import { newItems } from './nav.ts'
import { includesScreen } from './roleScreens.ts'
import { usePopover } from './usePopover.ts'

/** Makes the things an office makes, from every screen. Links in a list: nothing here needs a menu's own keys. */
export const NewMenu = () => {
  const { open, setOpen, root } = usePopover()
  const id = useId()
  const user = useMaybeUser()
  return (
    <div className="new" ref={root}>
      <Button
        icon={<IconPlus size={18} aria-hidden="true" />}
        className="top__new"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className="top__new-word">New</span>
      </Button>
      {open ? (
        <ul id={id} className="new__list" aria-label="Make something new">
          {newItems
            .filter(({ href }) => includesScreen(user, href))
            .map(({ label, href }) => (
              <li key={href}>
                <LinkTo href={href} onClick={() => setOpen(false)}>
                  {label}
                </LinkTo>
              </li>
            ))}
        </ul>
      ) : null}
    </div>
  )
}

import { useMaybeUser } from '../features/accounts/web/session.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { LinkTo } from '../ui/LinkTo.tsx'
import type { HubTab } from './hubs.ts'
import { hubSelector, isCurrent } from './nav.ts'
import { includesScreen } from './roleScreens.ts'
import { usePlace } from './usePlace.ts'

type Props = { open: boolean; rest: readonly (HubTab & { isOn: boolean })[]; onClose: () => void }

/** What the center of the bottom bar opens: the tabs that found no room, then the hubs. */
export const HubSheet = ({ open, rest, onClose }: Props) => {
  const { path, tab } = usePlace()
  const user = useMaybeUser()
  return (
    <Dialog open={open} onClose={onClose} title="Go to">
      <ul className="hub-sheet">
        {rest.map((item) => (
          <li key={item.value}>
            <LinkTo href={item.href} onClick={onClose} className={item.isOn ? 'is-on' : undefined}>
              {item.label}
            </LinkTo>
          </li>
        ))}
        {hubSelector
          .filter(({ href }) => includesScreen(user, href))
          .map((item) => (
            <li key={item.label}>
              <LinkTo
                href={item.href}
                onClick={onClose}
                className={isCurrent(item.href, path, tab) ? 'is-on' : undefined}
              >
                <item.icon size={22} stroke={1.7} />
                {item.label}
              </LinkTo>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}

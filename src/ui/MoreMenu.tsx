import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { IconDots } from './icons.ts'
import { Menu, type MenuItem, type MenuProps } from './Menu.tsx'

type Action = Exclude<MenuItem, 'line' | { heading: string }>
const isAction = (item: MenuProps['items'][number]): item is Action =>
  Boolean(item) && item !== 'line' && !('heading' in (item as object))

type Props = Omit<MenuProps, 'children'> & {
  /** What the three dots are called: "More for this invoice". */
  label: string
}

/** What a record can do beside its main actions. A single one stands as a button of its own: a menu would only hide it. */
export const MoreMenu = ({ label, ...menu }: Props) => {
  const [only, ...others] = menu.items.filter(isAction)
  if (!only) return null
  if (others.length > 0)
    return (
      <Menu {...menu}>
        <IconButton label={label} kind="secondary" icon={<IconDots />} tooltip={false} />
      </Menu>
    )
  const { icon, href, onClick, danger = false, disabled = false } = only
  return (
    <Button
      kind={danger ? 'danger' : 'secondary'}
      disabled={disabled}
      icon={icon}
      {...(href ? { href } : {})}
      {...(onClick ? { onClick } : {})}
    >
      {only.label}
    </Button>
  )
}

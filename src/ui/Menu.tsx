import { Menu as Base } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import './theme/mantine-base.ts'
import '@mantine/core/styles/Menu.layer.css'
import { LinkTo } from './LinkTo.tsx'
import './Menu.css'

export type MenuItem =
  | {
      label: ReactNode
      onClick?: () => void
      href?: string
      icon?: ReactNode
      hint?: ReactNode
      danger?: boolean
      disabled?: boolean
      key?: string
    }
  | { heading: string }
  | 'line'

export type MenuProps = {
  items: readonly (MenuItem | null | false | undefined)[]
  align?: 'start' | 'end'
  width?: number
  children: ReactElement
}

/** Actions that need no place of their own. The child is the button that opens it and must take a ref (Button, IconButton with tooltip off). */
export const Menu = ({ items, align = 'end', width = 220, children }: MenuProps) => (
  <Base
    withInitialFocusPlaceholder={false}
    position={align === 'end' ? 'bottom-end' : 'bottom-start'}
    offset={5}
    width={width}
    transitionProps={{ duration: 90 }}
    classNames={{ dropdown: 'ui-menu', item: 'ui-menu__item', label: 'ui-menu__label', divider: 'ui-menu__line' }}
  >
    <Base.Target>{children}</Base.Target>
    <Base.Dropdown>
      {items.map((item, index) => {
        if (!item) return null
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else
        if (item === 'line') return <Base.Divider key={index} />
        if ('heading' in item) return <Base.Label key={item.heading}>{item.heading}</Base.Label>
        const key = item.key ?? (typeof item.label === 'string' ? item.label : index)
        const shared = {
          disabled: item.disabled ?? false,
          leftSection: item.icon,
          rightSection: item.hint ? <span className="hint">{item.hint}</span> : undefined,
          'data-danger': item.danger || undefined,
          ...(item.onClick ? { onClick: item.onClick } : {}),
        }
        if (item.href)
          return (
            <Base.Item
              key={key}
              {...shared}
              renderRoot={(props) => <LinkTo {...(props as Record<string, never>)} href={item.href ?? ''} />}
            >
              {item.label}
            </Base.Item>
          )
        return (
          <Base.Item key={key} {...shared}>
            {item.label}
          </Base.Item>
        )
      })}
    </Base.Dropdown>
  </Base>
)

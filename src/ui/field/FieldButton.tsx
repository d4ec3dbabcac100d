import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { LinkTo } from '../LinkTo.tsx'
import './field.css'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  icon?: ReactNode
  busy?: boolean
  /** With an address (also tel:, sms:, geo: or maps) the button is a link. */
  href?: string
  newTab?: boolean
  children: ReactNode
}

/** 52 px, as wide as its place. */
export const FieldButton = ({
  kind = 'plain',
  icon,
  busy = false,
  href,
  newTab,
  children,
  onClick,
  type = 'button',
  className,
  ...rest
}: Props) => {
  const classes = `f-button f-button--${kind}${busy ? ' is-busy' : ''}${className ? ` ${className}` : ''}`
  const inside = (
    <>
      {busy ? <span className="f-spin" aria-hidden="true" /> : icon}
      {children}
    </>
  )
  if (href)
    return (
      <LinkTo
        href={href}
        className={classes}
        onClick={onClick as never}
        {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}
      >
        {inside}
      </LinkTo>
    )
  return (
    <button
      {...rest}
      type={type}
      className={classes}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {inside}
    </button>
  )
}

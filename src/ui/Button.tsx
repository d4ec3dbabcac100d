import { type ButtonHTMLAttributes, type ReactNode, type Ref, use } from 'react'
import type { Endpoint } from '#src/shared/endpoint.ts'
import './Button.css'
import { LinkTo } from './LinkTo.tsx'
import { PlanGate } from './planGate.ts'
import { Spinner } from './Spinner.tsx'
import { StillWaiting } from './StillWaiting.tsx'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'
type Look = {
  kind?: ButtonKind
  size?: 's' | 'm' | 'l'
  icon?: ReactNode
  loading?: boolean
  wide?: boolean
  children: ReactNode
}
export type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
    /** With an address the button is a link. */
    href?: string
    /** Only with `href`: opens in a new tab. */
    newTab?: boolean
    /** Only with `href`: saves what is there under this name. */
    download?: string
    /** The endpoint that a press leads to: where it asks for a plan and there is none, the button cannot be pressed and says why. */
    calls?: Pick<Endpoint, 'path' | 'needsSubscription'>
    ref?: Ref<HTMLButtonElement>
  }

/** One primary a screen, named by what it will do and to how many. While loading it keeps its width and takes no second click. */
export const Button = ({
  kind = 'secondary',
  size = 'm',
  icon,
  loading = false,
  wide,
  href,
  newTab,
  download,
  calls,
  children,
  className,
  disabled,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => {
  const gate = use(PlanGate)
  const waits = calls?.needsSubscription ? gate : null
  const classes = `ui-button ui-button--${kind} ui-button--${size}${wide ? ' ui-button--wide' : ''}${loading ? ' is-loading' : ''}${className ? ` ${className}` : ''}`
  const content = (
    <>
      {loading ? (
        <span className="ui-button__wait">
          <Spinner />
        </span>
      ) : null}
      <span className="ui-button__in">
        {icon}
        {children}
      </span>
    </>
  )
  if (href && !disabled && !waits)
    return (
      <LinkTo
        href={href}
        className={classes}
        aria-label={rest['aria-label']}
        title={rest.title}
        onClick={onClick as never}
        {...(newTab ? { target: '_blank', rel: 'noreferrer' } : {})}
        {...(download ? { download } : {})}
      >
        {content}
      </LinkTo>
    )
  return (
    <>
      <button
        {...rest}
        type={waits ? 'button' : type}
        title={waits?.words ?? rest.title}
        className={classes}
        disabled={disabled}
        aria-busy={loading || undefined}
        aria-disabled={loading || waits !== null || undefined}
        onClick={
          loading || waits
            ? (event) => {
                event.preventDefault()
                // A finger sees no title.
                if (waits) waits.tell(waits.words)
              }
            : onClick
        }
      >
        {content}
      </button>
      {loading && (kind === 'primary' || kind === 'danger') ? <StillWaiting /> : null}
    </>
  )
}

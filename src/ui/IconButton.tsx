import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { Tooltip } from './Tooltip.tsx'

/** A button with only a picture. Its label is read aloud and shown as a tooltip. */
export const IconButton = ({
  label,
  icon,
  kind = 'quiet',
  tooltip = true,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: ReactNode; tooltip?: boolean }) => {
  const button = (
    <Button
      {...rest}
      kind={kind}
      aria-label={label}
      className={`ui-icon-button${rest.className ? ` ${rest.className}` : ''}`}
    >
      {icon}
    </Button>
  )
  return tooltip ? <Tooltip text={label}>{button}</Tooltip> : button
}

import type { ReactNode } from 'react'
import './field.css'

/** The root of every crew screen; leaves room for the dock. */
export const FieldScreen = ({
  header,
  dock,
  children,
}: {
  header?: ReactNode
  dock?: ReactNode
  children: ReactNode
}) => (
  <div className="field f-screen">
    {header}
    <main>{children}</main>
    {dock}
  </div>
)

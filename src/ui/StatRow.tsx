import type { ReactNode } from 'react'
import './Stat.css'

/** Three or four Stats that stay side by side where there is room. */
export const StatRow = ({ children }: { children: ReactNode }) => <div className="ui-stat-row">{children}</div>

import type { ReactNode } from 'react'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useVisitLink } from './data.ts'

/** Opens a visit over this screen; plain words for who may not see visits. */
export const VisitLink = ({ id, children }: { id: string; children: ReactNode }) => {
  const link = useVisitLink()
  return link ? <LinkTo href={link(id)}>{children}</LinkTo> : <span>{children}</span>
}

import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { Link, useInRouterContext } from 'react-router'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  replace?: boolean
  ref?: Ref<HTMLAnchorElement>
  children?: ReactNode
}

/** A link that stays inside the app when it can; other sites, mail and phone numbers leave it. */
export const LinkTo = ({ href, replace, children, ...rest }: Props) => {
  const inRouter = useInRouterContext()
  if (inRouter && href.startsWith('/') && !rest.download && !rest.target)
    return (
      <Link to={href} replace={replace ?? false} {...rest}>
        {children}
      </Link>
    )
  return (
    <a href={href} {...rest}>
      {children}
    </a>
  )
}

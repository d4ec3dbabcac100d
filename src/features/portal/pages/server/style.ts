/** How the portal looks: made for a phone first. */
export const portalStyle = `
:root{color-scheme:light;--ink:#16211a;--quiet:#4d5a51;--line:#e4dfd3;--paper:#f7f4ec;--card:#fff;--late:#9a2a12;--good:#14432f;--goodbg:#e3efe6;--warnbg:#fdf0d5;--warn:#6b4a00}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:80px}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 Hanken Grotesk,system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
.top{background:var(--brand);color:var(--on-brand)}
.top div{display:flex;align-items:center;gap:12px;max-width:880px;margin:0 auto;padding:12px 16px}
.top img{height:40px;max-width:110px;object-fit:contain;padding:4px;border-radius:9px;background:#fff}
.top a{color:inherit;text-decoration:none;font-size:19px;line-height:1.2;font-weight:680;letter-spacing:-.012em;flex:1;min-width:0;padding:8px 0}
.top form{margin:0}
.top button,.top .lang{width:auto;min-height:44px;padding:0 14px;border:1.5px solid currentColor;border-radius:99px;background:none;color:inherit;font-size:15px;font-weight:620;flex:none;line-height:41px}
main{display:block;max-width:880px;margin:0 auto;padding:22px 16px 118px}
main.door{max-width:480px;padding-bottom:48px}
h1{margin:0 0 4px;font-size:29px;line-height:1.15;letter-spacing:-.024em;font-weight:720}
h2{margin:0 0 10px;font-size:19px;letter-spacing:-.012em}
h3{margin:0 0 2px;font-size:17px}
p{margin:4px 0}
.lead{color:var(--quiet);margin:0 0 18px}
.quiet{color:var(--quiet)}
.small{font-size:15px}
.words{white-space:pre-line}
.late{color:var(--late);font-weight:620}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:18px;padding:18px;margin:0 0 16px;box-shadow:0 1px 2px rgba(40,34,16,.04),0 8px 24px -18px rgba(40,34,16,.22)}
.said{border:0;background:var(--goodbg);color:#0f3325;font-weight:600;padding:14px 18px}
.said p{margin:0}
.bad{border:0;background:#fbe6df;color:#7a1f0b;font-weight:600;padding:14px 18px}
.bad p{margin:0}
.test{margin:0 0 16px;border-radius:12px;padding:7px 16px;background:#fff6df;color:#6b4a00;font-weight:700;text-align:center;font-size:15px}
.grid{display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}
.grid>*{margin:0}
.next{position:relative;overflow:hidden;padding:20px}
.next:before{content:"";position:absolute;left:0;top:0;bottom:0;width:6px;background:var(--brand)}
.when{display:flex;gap:16px;align-items:flex-start}
.date{flex:none;width:74px;border-radius:14px;overflow:hidden;text-align:center;border:1px solid var(--line);background:#fff}
.date b{display:block;padding:3px 0;background:var(--brand);color:var(--on-brand);font-size:14px;font-weight:680;text-transform:capitalize}
.date span{display:block;font-size:32px;line-height:1.2;font-weight:740;font-variant-numeric:tabular-nums;letter-spacing:-.03em}
.date small{display:block;padding:0 0 5px;font-size:13px;color:var(--quiet);text-transform:capitalize}
.when h2,.when h3{margin:0;font-size:20px;line-height:1.25}
.pill{display:inline-block;margin:0 0 6px;padding:3px 11px;border-radius:99px;background:var(--goodbg);color:var(--good);font-weight:650;font-size:14px}
.pill.wait{background:var(--warnbg);color:var(--warn)}
.pill.off{background:#eceae3;color:#4a4f49}
.acts{display:flex;flex-wrap:wrap;gap:10px;margin:16px 0 0}
.acts>*{flex:1 1 150px;margin:0}
.owed{font-size:44px;line-height:1.1;font-weight:740;margin:2px 0;font-variant-numeric:tabular-nums;letter-spacing:-.03em}
ul,ol{list-style:none;margin:0;padding:0}
.rows>li{display:flex;gap:12px;justify-content:space-between;align-items:center;padding:13px 0;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0;padding-top:2px}
.rows>li:last-child{padding-bottom:2px}
.rows>li>span:first-child,.rows>li>div:first-child{min-width:0;flex:1}
.rows small{display:block;color:var(--quiet);font-size:15px;line-height:1.4}
.rows small.late{color:var(--late)}
.side{text-align:right;flex:none;font-variant-numeric:tabular-nums;font-weight:620}
.side a{display:inline-block;padding:9px 0 9px 12px;font-size:15px}
a{color:var(--strong);font-weight:620;text-underline-offset:3px}
a.go{display:flex;gap:14px;align-items:center;color:inherit;text-decoration:none;font-weight:400;width:100%}
a.go>span{flex:1;min-width:0}
a.go>span.side,a.go>span.chev{flex:none}
a.go:hover b{text-decoration:underline}
.chev{flex:none;color:var(--quiet)}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(112px,1fr));gap:8px;margin:10px 0 0}
.photos.big{grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px}
.photos li{position:relative}
.photos img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:12px;background:#e9e5da}
.photos svg{position:absolute;inset:0;width:100%;height:100%;pointer-events:none}
.photos .fig{position:relative;display:block}
.edge{stroke:#101512}.red{stroke:#e5140a}.yellow{stroke:#ffd60a}
.photos small{font-size:14px;color:var(--quiet)}
blockquote{margin:10px 0 0;padding:10px 14px;border-left:4px solid var(--brand);background:var(--paper);border-radius:0 12px 12px 0;white-space:pre-line}
blockquote b{display:block;font-size:14px;color:var(--quiet);font-weight:620}
dl{margin:12px 0 0}
dl div{display:grid;grid-template-columns:128px 1fr;gap:10px;padding:10px 0;border-top:1px solid var(--line)}
dt{color:var(--quiet)}dd{margin:0;font-weight:600}dd small{display:block;font-weight:400;color:var(--quiet)}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:8px;width:100%;min-height:52px;padding:8px 16px;border:0;border-radius:14px;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:650;font-size:17px;text-decoration:none;cursor:pointer;text-align:center}
button.second,.button.second{background:#fff;color:var(--strong);border:1.5px solid var(--strong)}
button.danger{background:#fff;color:var(--late);border:1.5px solid var(--late)}
button.link{width:auto;min-height:44px;padding:0 4px;background:none;color:var(--strong);text-decoration:underline;text-underline-offset:3px;font-size:16px}
button:hover,.button:hover{filter:brightness(.97)}
button:focus-visible,.button:focus-visible,input:focus-visible,textarea:focus-visible,select:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
form{margin:0}
label.field,.fieldlike{display:block;font-weight:620;margin:0 0 14px}
.field small{display:block;font-weight:400;color:var(--quiet);font-size:15px}
.field input,.field textarea,.field select{display:block;width:100%;min-height:52px;margin:6px 0 0;padding:10px 13px;border:1.5px solid #6b7a70;border-radius:13px;font:inherit;font-weight:400;background:#fff;color:inherit}
.field [aria-invalid=true]{border-color:var(--late);box-shadow:0 0 0 1px var(--late)}
.field em{display:block;margin:4px 0 0;color:var(--late);font-style:normal;font-weight:600;font-size:15px}
.two{display:grid;gap:0 14px;grid-template-columns:repeat(auto-fit,minmax(180px,1fr))}
.check{display:flex;gap:12px;align-items:flex-start;padding:8px 0;min-height:44px;cursor:pointer}
.check input{width:24px;height:24px;margin:1px 0 0;flex:none;accent-color:var(--strong)}
fieldset{border:0;margin:0 0 14px;padding:0;min-width:0}
legend{font-weight:620;padding:0 0 4px}
details{margin:0}
summary{min-height:44px;padding:10px 0;font-weight:640;cursor:pointer;color:var(--strong)}
details form{padding:8px 0 0}
.talk{display:flex;flex-direction:column;gap:10px}
.talk>li{max-width:84%;padding:10px 14px;border-radius:18px 18px 18px 5px;background:#fff;border:1px solid var(--line);align-self:flex-start}
.talk>li.mine{align-self:flex-end;border-radius:18px 18px 5px 18px;background:var(--goodbg);border-color:#cfe2d4}
.talk p{margin:0;white-space:pre-line}
.talk .photos{grid-template-columns:repeat(auto-fill,112px);width:232px;max-width:100%;margin:8px 0 4px}
.talk .photos a{display:block}
.field .chosen{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0 0}
.field .chosen img{display:block;width:84px;height:84px;object-fit:cover;border-radius:10px;border:1px solid var(--line)}
.talk small{display:block;color:var(--quiet);font-size:14px;margin:3px 0 0}
.talk>li.mine small{color:#33493c}
.nav{position:fixed;left:0;right:0;bottom:0;z-index:2;background:rgba(255,255,255,.97);border-top:1px solid var(--line);padding:0 4px env(safe-area-inset-bottom)}
.nav ul{display:flex;max-width:880px;margin:0 auto}
.nav li{flex:1;min-width:0}
.nav a{display:flex;flex-direction:column;align-items:center;gap:2px;padding:9px 2px 8px;min-height:60px;color:var(--quiet);text-decoration:none;font-size:13px;line-height:1.2;font-weight:600;border-radius:12px}
.nav a[aria-current]{color:var(--strong)}
.nav a[aria-current] svg{stroke-width:2.4}
.nav i{position:absolute;margin:-4px 0 0 20px;min-width:10px;height:10px;border-radius:99px;background:#c2410c}
.foot{color:var(--quiet);font-size:15px;padding:6px 2px}
.foot a,.foot button{display:inline-block;padding:11px 16px 11px 0}
.foot form{display:inline}
.head{display:flex;gap:12px;justify-content:space-between;align-items:baseline}
.head h2{margin:0 0 8px}
.head a{padding:8px 0}
.back{display:inline-block;padding:8px 0;margin:-8px 0 4px}
.center{text-align:center}
.hint{font-size:15px;color:var(--quiet);margin:8px 0 0}
@media(min-width:760px){
main{padding-top:34px;padding-bottom:60px}
.nav{position:sticky;top:0;bottom:auto;border-top:0;border-bottom:1px solid var(--line);padding:0}
.nav a{flex-direction:row;justify-content:center;min-height:54px;font-size:16px;gap:8px;border-radius:0;border-bottom:3px solid transparent}
.nav a[aria-current]{border-bottom-color:var(--strong)}
.grid.two-up{grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);align-items:start}
.grid>.stack>*:last-child{margin-bottom:0}
h1{font-size:34px}
section,.card{padding:22px}
.acts>*{flex:0 1 auto}.acts button,.acts .button{width:auto;min-width:150px}
.short{max-width:560px}
}
@media(max-width:370px){dl div{grid-template-columns:1fr;gap:0}.date{width:64px}.owed{font-size:38px}}
@media print{.nav,.top form,button,.button{display:none}body{background:#fff}section{box-shadow:none;break-inside:avoid}}
`

import { absoluteUrl } from '../../../../platform/links.ts'
import { consentLine, offersLine } from '../rules.ts'
import type { Door } from './queries.ts'

/** Data as it may stand inside of a script, whatever the business is called. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/**
 * The form for the owner's own website: stands where its tag stands, in a shadow tree that the website's style does not reach, and sends without leaving
 * the page. It asks nothing of the website but to be put there.
 */
export const formScript = (door: Door, slug: string): string => `(function(){
"use strict";
var at=document.currentScript;
if(!at||!at.parentNode)return;
var d=${literal({
  to: absoluteUrl(`/lead-form/${encodeURIComponent(slug)}`),
  name: door.name,
  color: /^#[0-9a-f]{6}$/i.test(door.color) ? door.color : '#14432f',
  consent: consentLine(door.name),
  offers: offersLine(door.name),
})};
var preview=at.hasAttribute("data-preview");
var key=(window.crypto&&crypto.randomUUID)?crypto.randomUUID():"";
var host=document.createElement("div");
at.parentNode.insertBefore(host,at.nextSibling);
var root=host.attachShadow({mode:"open"});
function el(tag,props,kids){var e=document.createElement(tag);for(var k in props||{}){if(k==="text")e.textContent=props[k];else e.setAttribute(k,props[k])}(kids||[]).forEach(function(c){e.appendChild(c)});return e}
root.appendChild(el("style",{text:":host{all:initial;display:block}*{box-sizing:border-box}form,.done{max-width:520px;font:16px/1.5 system-ui,Segoe UI,Roboto,Arial,sans-serif;color:#16211a;background:#fff;border:1px solid #dcd7ca;border-top:4px solid "+d.color+";border-radius:12px;padding:18px}h2{margin:0 0 12px;font-size:20px;line-height:1.25}label{display:block;font-weight:600;margin:0 0 12px}input,textarea{display:block;width:100%;min-height:44px;margin-top:4px;padding:8px 11px;border:1.5px solid #6b7a70;border-radius:8px;font:inherit;color:inherit;background:#fff}.two{display:grid;grid-template-columns:1fr 1fr;gap:0 12px}.box{display:flex;gap:9px;font-weight:400;font-size:14px}.box input{flex:none;width:22px;height:22px;min-height:22px;margin:0}.away{position:absolute;left:-9999px}.bad{display:block;color:#a1341f;font-weight:600;font-size:14px;margin-top:3px}button{width:100%;min-height:48px;border:0;border-radius:8px;background:#14432f;color:#fff;font:inherit;font-weight:700;cursor:pointer}button[disabled]{opacity:.6;cursor:default}:focus-visible{outline:3px solid #2766a8;outline-offset:2px}"}));
var fields={};
function field(name,label,props){var p={name:name};for(var k in props||{})p[k]=props[k];var i=el(name==="wants"?"textarea":"input",p);fields[name]=i;return el("label",{},[el("span",{text:label}),i])}
var company=el("input",{name:"company",tabindex:"-1",autocomplete:"off"});
var consent=el("input",{type:"checkbox",name:"consent",value:"yes"});
var offers=el("input",{type:"checkbox",name:"offers",value:"yes"});
var send=el("button",{type:"submit",text:"Send"});
var said=el("p",{role:"alert","class":"bad"});
var form=el("form",{novalidate:"","aria-label":"Ask "+d.name+" for a price"},[
el("h2",{text:"Ask for a price"}),
field("name","Your name",{autocomplete:"name",maxlength:"120"}),
field("phone","Phone",{type:"tel",autocomplete:"tel",maxlength:"40"}),
field("email","E-mail",{type:"email",autocomplete:"email",maxlength:"254"}),
field("street","Street",{autocomplete:"address-line1",maxlength:"200"}),
el("div",{"class":"two"},[field("city","City",{autocomplete:"address-level2",maxlength:"100"}),field("zip","ZIP code",{inputmode:"numeric",autocomplete:"postal-code",maxlength:"10"})]),
field("wants","What do you need?",{rows:"3",maxlength:"2000"}),
el("label",{"class":"box"},[consent,el("span",{text:d.consent})]),
el("label",{"class":"box"},[offers,el("span",{text:d.offers})]),
el("div",{"class":"away","aria-hidden":"true"},[company]),
said,send]);
root.appendChild(form);
function clear(){said.textContent="";for(var n in fields){fields[n].removeAttribute("aria-invalid");var b=fields[n].parentNode.querySelector(".bad");if(b)b.remove()}}
function wrong(list){var first=null;(list||[]).forEach(function(p){var f=fields[p.path];if(!f){said.textContent=p.message;return}f.setAttribute("aria-invalid","true");f.parentNode.appendChild(el("span",{"class":"bad",text:p.message}));first=first||f});if(first)first.focus()}
form.addEventListener("submit",function(e){
e.preventDefault();clear();
if(preview){said.textContent="This is a preview: nothing is sent.";return}
var body=new URLSearchParams();
for(var n in fields)body.set(n,fields[n].value);
body.set("company",company.value);if(consent.checked)body.set("consent","yes");if(offers.checked)body.set("offers","yes");
body.set("ms",String(Math.round(performance.now())));body.set("key",key);body.set("page",location.origin+location.pathname);
body.set("ref",new URLSearchParams(location.search).get("ref")||"");
send.disabled=true;
fetch(d.to,{method:"POST",body:body,headers:{accept:"application/json"},credentials:"omit"}).then(function(r){return r.json().then(function(j){return{ok:r.ok,j:j}})}).then(function(a){
if(a.ok){var done=el("div",{"class":"done",tabindex:"-1",role:"status"},[el("h2",{text:"Thank you. We have your request."}),el("span",{text:d.name+" will get back to you."})]);form.replaceWith(done);done.focus();return}
if(a.j.errors&&a.j.errors.length)wrong(a.j.errors);else said.textContent=a.j.message||"This did not go through. Please try again.";
}).catch(function(){said.textContent="This did not go through. What you typed is still here: please try again."}).then(function(){send.disabled=false});
});
})();
`
